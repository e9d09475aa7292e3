/** The overview: what waits, figures and charts. */
export const figureStyle = `.waits { display: grid; }
.waits > li { padding-block: .35rem; border-block-start: 1px solid var(--line); }
.waits > li:first-child { border: 0; }
.waits a, .tiles a { display: inline-block; min-block-size: 24px; }
.presets { flex: 4 1 18rem; align-self: center; }
.presets ul { margin: 0; }
.presets li a { min-block-size: 32px; border: 1px solid var(--line); }
.presets li a[aria-current] { background: var(--calm); color: var(--calm-ink); box-shadow: none; border-radius: 6px; border-color: currentColor; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); gap: .75rem; }
.tiles > .panel { gap: .1rem; }
.tiles dt { color: var(--soft); font-size: .875rem; }
.tiles .value { font-size: 1.375rem; font-weight: 650; line-height: 1.4; font-variant-numeric: tabular-nums; }
.tiles .value span { display: block; }
.chart { margin: 0; display: grid; gap: .35rem; grid-template-columns: minmax(0, 1fr); }
.bars { display: block; inline-size: 100%; block-size: 11rem; }
.bars .taken, .key.taken::before { fill: var(--accent); background: var(--accent); }
.bars .refunded, .key.refunded::before { fill: var(--danger); background: var(--danger); }
.bars .room { fill: transparent; }
.bars g:hover .room { fill: var(--calm); }
.bars line { stroke: var(--soft); stroke-width: 1px; vector-effect: non-scaling-stroke; }
.key::before { content: ""; display: inline-block; inline-size: .7em; block-size: .7em; border-radius: 2px; margin-inline-end: .4em; forced-color-adjust: none; }
.ends { display: flex; justify-content: space-between; font-size: .8125rem; }
.scroll { overflow-x: auto; max-block-size: 30rem; }
.days { inline-size: 100%; border-collapse: collapse; font-size: .875rem; }
.days th, .days td { padding: .3rem .5rem; text-align: start; font-weight: 400; border-block-start: 1px solid var(--line); white-space: nowrap; }
.days thead th { color: var(--soft); border: 0; }
.days .number { text-align: end; font-variant-numeric: tabular-nums; }
.meanings { display: grid; gap: .4rem; max-inline-size: 60rem; padding-block: .25rem; color: var(--soft); }
@media print {
  .bars { print-color-adjust: exact; }
  .scroll { max-block-size: none; overflow: visible; }
}`;
