const STYLE = `
.admin {
	display: grid; grid-template-columns: minmax(0, 1fr); align-content: start; gap: .75rem; min-height: 100dvh;
	width: 100%; max-width: 70rem; margin-inline: auto; padding: .75rem max(.75rem, 2vw) var(--foot);
}
.admin-head { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; }
.admin-head .back { display: inline-flex; align-items: center; gap: .25rem; }
.admin-head .back .icon { transform: rotate(180deg); width: 1.125rem; }
.admin-tabs { display: flex; flex-wrap: wrap; gap: .375rem; }
.admin-tabs [aria-current] { background: var(--accent); color: var(--on-accent); }
.admin-section, .admin-section > section { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; align-content: start; }
.admin-section { gap: 1.25rem; }
.admin-section > section > .small, .admin-section > section > button.small { justify-self: start; }
.admin-list {
	padding: 0; margin: 0; list-style: none; border: 1px solid var(--line); border-radius: var(--round);
	background: var(--raised);
}
.admin-list > li + li { border-top: 1px solid var(--line); }
.admin-list .row { padding: .5rem 1rem; }
.admin-list .row > button.small { max-width: 50%; }
.admin-list .gone { color: var(--quiet); }
.admin-list .gone b { text-decoration: line-through; }
.admin-tools { flex-wrap: wrap; }
.admin-tools .primary { background: var(--accent); color: var(--on-accent); }
.admin-tools .search { flex: 1 1 14rem; }
.admin-facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); gap: .5rem 1rem; }
.admin-facts dt { font-size: var(--small); color: var(--quiet); }
.admin-facts dd { overflow-wrap: anywhere; }
.admin-table { width: 100%; border-collapse: collapse; }
.admin-table :is(th, td) { padding: .375rem .5rem; text-align: start; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.admin-table th { font-size: var(--small); color: var(--quiet); }
.admin-table .number { text-align: end; font-variant-numeric: tabular-nums; }
.admin-graphs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: .75rem; }
.admin-graph { margin: 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--raised); }
.admin-graph .last { font-size: 1.1875rem; font-weight: 660; margin-inline-start: .5rem; }
.admin-graph svg { display: block; width: 100%; height: 6rem; margin-top: .5rem; }
.admin-graph path { fill: none; vector-effect: non-scaling-stroke; stroke-width: 2; }
.admin-graph .line { stroke: var(--accent); }
.admin-graph .base { stroke: var(--line); stroke-width: 1; }
.admin-axis { display: flex; justify-content: space-between; }
.admin-log {
	max-height: 20rem; overflow-y: auto; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: var(--round);
	background: var(--raised); overflow-wrap: anywhere;
}
.admin-log .error { font-weight: inherit; }
.admin-hash { overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: var(--small); }
.admin summary { min-height: var(--touch); padding-block: .5rem; cursor: pointer; }
.count { display: inline; }
`;

/** A style sheet of the document's own: the policy of the page allows no other way that loads nothing. */
export function addStyle() {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(STYLE);
	document.adoptedStyleSheets = [sheet];
}
