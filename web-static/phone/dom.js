// A small virtual DOM. Texts become text nodes only, never markup.

/** Properties that are set instead of attributes, and their defaults. */
const PROPERTIES = { value: "", checked: false, disabled: false, hidden: false, inert: false };
/** The elements that this render has created, children first. */
const created = [];

/** Describes an element, `h("p.quiet", { id }, "text")`: see docs/browser-phone.md. */
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
	for (const node of created.splice(0)) node.vnode.props.created?.(node);
}

const identity = (vnode) => vnode?.tag && `${vnode.tag} ${vnode.key}`;

function reconcile(parent, children) {
	const previous = Map.groupBy(parent.childNodes, ({ vnode }) => identity(vnode));
	const nodes = children.map((child) => update(previous.get(identity(child))?.shift() ?? create(child), child));
	for (const node of [...previous.values()].flat()) {
		unmount(node);
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
	const namespace = ["svg", "path"].includes(tag) ? "2000/svg" : "1999/xhtml";
	const node = document.createElementNS(`http://www.w3.org/${namespace}`, tag);
	node.vnode = { tag, key };
	if (tag === "button") node.type = tag;
	return node;
}

function update(node, child) {
	const { vnode } = node;
	if (vnode) {
		reconcile(node, child.children);
		// After the children: the value of a select is that of an option.
		const { props = {} } = vnode;
		for (const name in { ...props, ...child.props }) set(node, name, child.props[name] ?? null, props[name]);
		if (!vnode.props) created.push(node);
		vnode.props = child.props;
	} else if (node.data !== child) {
		node.data = child;
	}
	return node;
}

function set(node, name, value, previous) {
	if (["key", "created", "removed"].includes(name)) return;
	if (name.startsWith("on")) {
		node[name] = value;
	} else if (name === "style") {
		for (const property in value) node.style.setProperty(property, value[property]);
	} else if (name in PROPERTIES) {
		const newValue = value ?? PROPERTIES[name];
		// A render does not replace text that is being edited.
		const isEdited = node === document.activeElement && node.tagName === "INPUT" && name === "value";
		if (node[name] !== newValue && !(isEdited && value === previous)) node[name] = newValue;
	} else if (value === null || (typeof value === "boolean" && !name.startsWith("aria-"))) {
		node.toggleAttribute(name, value === true);
	} else if (value !== previous) {
		node.setAttribute(name, value);
	}
}

function unmount(node) {
	node.childNodes.forEach(unmount);
	node.vnode?.props.removed?.(node);
}
