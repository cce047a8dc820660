// A small virtual DOM. Texts become text nodes alone: none is ever markup.

/** No attributes. */
const STATES = { value: "", checked: false, disabled: false, hidden: false, inert: false };
/** Made by this render, inner ones first. */
const fresh = [];

/** `h("p.quiet", { id }, "text")`: docs/browser-phone.md, The screens. */
export function h(name, ...rest) {
	const [tag, ...classes] = name.split(".");
	const [first] = rest;
	const props = first?.constructor === Object && !first.tag ? { ...rest.shift() } : {};
	props.class = [...classes, props.class].filter(Boolean).join(" ") || null;
	return { tag, props, key: props.key, children: flat(rest) };
}

function flat(children) {
	return children.flat(Infinity).filter((child) => typeof (child ?? false) !== "boolean")
		.map((child) => (child.tag ? child : String(child)));
}

export function render(parent, children) {
	const focused = document.activeElement;
	reconcile(parent, flat([children]));
	if (focused !== document.activeElement && parent.contains(focused)) focused.focus({ preventScroll: true });
	for (const node of fresh.splice(0)) node.vnode.props.created?.(node);
}

const identity = (vnode) => vnode?.tag && `${vnode.tag} ${vnode.key}`;

function reconcile(parent, children) {
	const before = Map.groupBy(parent.childNodes, ({ vnode }) => identity(vnode));
	const nodes = children.map((child) => update(before.get(identity(child))?.shift() ?? create(child), child));
	for (const node of [...before.values()].flat()) {
		dismiss(node);
		node.remove();
	}
	let cursor = parent.firstChild;
	for (const node of nodes) {
		if (node === cursor) cursor = cursor.nextSibling;
		else parent.insertBefore(node, cursor);
	}
}

function create({ tag, key }) {
	if (!tag) return new Text();
	const space = ["svg", "path"].includes(tag) ? "2000/svg" : "1999/xhtml";
	const node = document.createElementNS(`http://www.w3.org/${space}`, tag);
	if (tag === "button") node.type = "button";
	node.vnode = { tag, key };
	return node;
}

function update(node, child) {
	const { vnode } = node;
	if (vnode) {
		reconcile(node, child.children);
		// Last: the value of a select is one of its children's.
		const { props = {} } = vnode;
		for (const name in { ...props, ...child.props }) set(node, name, child.props[name] ?? null, props[name]);
		if (!vnode.props) fresh.push(node);
		vnode.props = child.props;
	} else if (node.data !== child) {
		node.data = child;
	}
	return node;
}

function set(node, name, value, before) {
	if (["key", "created", "removed"].includes(name)) return;
	if (name.startsWith("on")) {
		node[name] = value;
	} else if (name === "style") {
		for (const property in value) node.style.setProperty(property, value[property]);
	} else if (name in STATES) {
		const wanted = value ?? STATES[name];
		// A render leaves what is being typed.
		const isTyped = node === document.activeElement && node.tagName === "INPUT" && name === "value";
		if (node[name] !== wanted && !(isTyped && value === before)) node[name] = wanted;
	} else if (value === null || (typeof value === "boolean" && !name.startsWith("aria-"))) {
		node.toggleAttribute(name, value === true);
	} else if (value !== before) {
		node.setAttribute(name, value);
	}
}

function dismiss(node) {
	node.childNodes.forEach(dismiss);
	node.vnode?.props.removed?.(node);
}
