"""docs/openrpc.json, held against everything that the hub says.

The schemas are closed here: a member that the reference does not name is a fault, as is one that is missing.
"""

import json
import pathlib

import jsonschema

DOCUMENT = json.loads((pathlib.Path(__file__).parents[2] / "docs/openrpc.json").read_text())

# Those that any request may get: the message itself is wrong, it is one too many, or the hub has too much to do.
GENERAL = {-32700, -32600, -32601, -32602, 429}


def _close(schema):
    if isinstance(schema, list):
        for part in schema:
            _close(part)
    elif isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for part in schema.values():
            _close(part)


def _validator(schema):
    whole = {"components": COMPONENTS} | schema
    return jsonschema.Draft202012Validator(whole, format_checker=jsonschema.FormatChecker())


_close(DOCUMENT)
COMPONENTS = DOCUMENT["components"]
METHODS = {method["name"]: method for method in DOCUMENT["methods"]}
RESULTS = {name: _validator(method["result"]["schema"]) for name, method in METHODS.items()}
NOTIFICATIONS = {
    method["name"]: _validator(
        {
            "type": "object",
            "properties": {parameter["name"]: parameter["schema"] for parameter in method["params"]},
            "required": [parameter["name"] for parameter in method["params"] if parameter.get("required")],
            "additionalProperties": False,
        }
    )
    for method in DOCUMENT["x-notifications"]
}


def _check(validator, value, what):
    fault = jsonschema.exceptions.best_match(validator.iter_errors(value))
    assert fault is None, f"{what} is not as the reference has it: {fault.json_path}: {fault.message}"


def check_result(method, result):
    _check(RESULTS[method], result, f"the result of {method}")


def check_notification(method, parameters):
    assert method in NOTIFICATIONS, f"the reference has no notification {method}"
    _check(NOTIFICATIONS[method], parameters, method)


def check_error(method, error):
    """An error must be one that the reference gives for the method, under its name, with a sentence."""
    code, data = error["code"], error.get("data", {})
    assert set(error) <= {"code", "message", "data"}, error
    assert len(error["message"]) > 10, error
    if method in METHODS and code not in GENERAL:
        documented = [entry["$ref"].rsplit("/", 1)[1] for entry in METHODS[method].get("errors", [])]
        assert str(code) in documented, f"the reference has no {code} for {method}: {error}"
    if 100 <= code < 700 and code // 100 in (1, 2, 3, 6):
        expected = COMPONENTS["errors"][str(code)]["data"]
        assert {key: data.get(key) for key in expected} == expected, error
    elif code > 0:
        assert data.get("name"), error
