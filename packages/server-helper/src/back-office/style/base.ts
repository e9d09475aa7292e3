/** Colours, type, and the elements as they are. */
export const baseStyle = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #101418);
  --paper: light-dark(#ffffff, #181d23);
  --line: light-dark(#dfe3e8, #2d353e);
  --ink: light-dark(#1a2129, #e8ecf0);
  --soft: light-dark(#56616d, #a3aeb9);
  --accent: light-dark(#0b6b41, #57c98f);
  --accent-ink: light-dark(#ffffff, #0b1a12);
  --danger: light-dark(#a3261b, #ff9a8d);
  --danger-ink: light-dark(#ffffff, #2a0905);
  --good: light-dark(#e2f3e9, #143526);
  --good-ink: light-dark(#0b5a36, #8fe0b6);
  --bad: light-dark(#fbe5e2, #421b17);
  --bad-ink: light-dark(#8e1f15, #ffb3a9);
  --warn: light-dark(#fcf0d3, #3b2e0d);
  --warn-ink: light-dark(#6d4c00, #f3cf7a);
  --calm: light-dark(#e9ecf0, #29313a);
  --calm-ink: light-dark(#3d4752, #c8d0d8);
  --info: light-dark(#e3edfb, #16304e);
  --info-ink: light-dark(#174a86, #a5cbf7);
  --round: 8px;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans Arabic", sans-serif;
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: break-word; }
[lang="ar"] { line-height: 1.7; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0; text-wrap: balance; }
h2 { font-size: 1rem; line-height: 1.4; margin: 0; }
p, ul, ol, dl { margin: 0; }
ul, ol { padding: 0; list-style: none; }
dd { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; }
main a { display: inline-block; min-block-size: 24px; min-inline-size: 24px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
code { font: .8125rem/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; overflow-wrap: anywhere; unicode-bidi: isolate; }
time, .amount, .count { font-variant-numeric: tabular-nums; white-space: nowrap; }
.amount svg { vertical-align: -.04em; }
button, .button, input, select, textarea { font: inherit; }
button, main .button {
  display: inline-block; min-block-size: 36px; padding: .3rem .9rem; border: 1px solid var(--accent);
  border-radius: 6px; background: var(--accent); color: var(--accent-ink); font-weight: 600;
  text-decoration: none; cursor: pointer; line-height: 1.6;
}
button.quiet, .button.quiet { background: var(--paper); color: var(--ink); border-color: light-dark(#8a949f, #66717d); font-weight: 500; }
button.final { background: var(--danger); border-color: var(--danger); color: var(--danger-ink); }
button.small { min-block-size: 24px; padding: 0 .5rem; font-size: .8125rem; }
@media (hover: hover) {
  button:hover, .button:hover { filter: brightness(.94); }
}
input, select, textarea {
  min-block-size: 36px; padding: .25rem .5rem; border: 1px solid light-dark(#8a949f, #66717d);
  border-radius: 6px; background: var(--paper); color: var(--ink); inline-size: 100%; max-inline-size: 100%;
}
input[type="checkbox"], input[type="radio"] { inline-size: 24px; min-block-size: 24px; vertical-align: middle; }
[aria-invalid="true"] { border-color: var(--danger); border-width: 2px; }
label { display: block; font-size: .875rem; font-weight: 500; margin-block-end: .2rem; }
summary { cursor: pointer; padding-block: .2rem; min-block-size: 24px; color: var(--accent); }
.muted, .hint { color: var(--soft); }
.hint { font-size: .875rem; }
.spoken { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media print {
  :root { --ground: #fff; --paper: #fff; --ink: #000; --soft: #333; font-size: 11pt; }
  header, footer, .filter, .pager, .actions, #actions, .panel:has(> #actions), .up, .skip, .button, button { display: none !important; }
  .panel { break-inside: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}`;
