/** The style sheet of the documentation page; it loads nothing, so that the page works without a network. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566272; --line: #dde3ea; --ground: #fff; --panel: #f5f7fa; --accent: #0b5cad; --get: #0a6b3d; --post: #8a4b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9f0; --soft: #9aa7b8; --line: #2d3642; --ground: #12161c; --panel: #1a2029; --accent: #7db7f5; --get: #63cf9b; --post: #f0b467; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0; color: var(--ink); background: var(--ground); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.page { display: grid; grid-template-columns: 15rem minmax(0, 56rem); gap: 3rem; max-width: 76rem; margin: 0 auto; padding: 0 1.5rem 4rem; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 2rem 0; font-size: .92rem; }
nav strong { display: block; margin: 1.2rem 0 .3rem; color: var(--soft); font-size: .8rem; text-transform: uppercase; letter-spacing: .04em; }
nav a { display: block; padding: .15rem 0; color: var(--ink); text-decoration: none; }
nav a:hover, nav a:focus-visible { color: var(--accent); text-decoration: underline; }
main { padding-top: 2rem; min-width: 0; }
h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 3rem 0 .6rem; padding-top: 1.5rem; border-top: 1px solid var(--line); font-size: 1.4rem; }
h3 { margin: 1.8rem 0 .5rem; font-size: 1.05rem; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--accent); }
code, pre, textarea, input { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .86em; }
code { overflow-wrap: anywhere; }
.method { font: 700 .8rem ui-monospace, Menlo, Consolas, monospace; padding: .1rem .5rem; border: 1px solid currentcolor; border-radius: .3rem; }
.get { color: var(--get); } .post { color: var(--post); }
pre { margin: .5rem 0; padding: .8rem 1rem; overflow: auto; max-height: 26rem; background: var(--panel); border: 1px solid var(--line); border-radius: .4rem; line-height: 1.45; }
pre code, .words { overflow-wrap: normal; }
.words { white-space: nowrap; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { padding: .45rem .8rem .45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
td:first-child { white-space: nowrap; }
.field { padding: .55rem 0; border-bottom: 1px solid var(--line); font-size: .95rem; }
.field p { margin: .1rem 0; }
.name { font-weight: 700; font-size: .92em; }
.type, .flag { color: var(--soft); }
.flag { font-size: .82em; margin-left: .3rem; }
details { margin: .35rem 0; }
summary { cursor: pointer; width: fit-content; max-width: 100%; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); font-size: .92rem; }
summary:hover { border-color: var(--accent); }
.inside { margin: .4rem 0 .4rem .2rem; padding-left: .9rem; border-left: 2px solid var(--line); }
dl { margin: .4rem 0; display: grid; grid-template-columns: minmax(8rem, max-content) minmax(0, 1fr); gap: .3rem 1rem; font-size: .92rem; }
dd { margin: 0; }
.try { display: grid; gap: .4rem; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--panel); }
.try > * { min-width: 0; }
.try input, .try select, .try textarea { width: 100%; padding: .5rem .6rem; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem; }
.try button { justify-self: start; min-height: 2.75rem; padding: .5rem 1.6rem; margin-top: .4rem; font: inherit; font-weight: 600; color: var(--ground); background: var(--accent); border: 0; border-radius: .4rem; cursor: pointer; }
.try pre { background: var(--ground); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.note { color: var(--soft); font-size: .88rem; }
@media (max-width: 60rem) {
  .page { display: block; padding: 0 1rem 3rem; }
  nav { position: static; max-height: none; padding-bottom: 0; }
  nav a { display: inline-block; margin-right: 1rem; padding: .35rem 0; }
  nav .list { display: none; }
  td:first-child, .words { white-space: normal; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: .5rem; }
}
`
