/** Lists, facts, timelines and tables. */
export const contentStyle = `.badge { display: inline-block; border-radius: 4px; padding-inline: .5em; font-size: .8125rem; font-weight: 600; line-height: 1.65; background: var(--calm); color: var(--calm-ink); white-space: nowrap; }
.badge:is([data-state="paid"], [data-state="captured"], [data-state="succeeded"], [data-state="payment"], [data-state="charge"], [data-state="done"]) { background: var(--good); color: var(--good-ink); }
.badge:is([data-state="failed"], [data-state="duplicate"], [data-state="discrepancy"], [data-state="dead"], [data-state="lost"]) { background: var(--bad); color: var(--bad-ink); }
.badge:is([data-state="review"], [data-state="paid_late"], [data-state="late"], [data-state="unknown"], [data-state="proposed"]) { background: var(--warn); color: var(--warn-ink); }
.badge:is([data-state="pending"], [data-state="open"], [data-state="creating"], [data-state="sending"], [data-state="authorized"], [data-state="checking"], [data-state="waiting"], [data-state="partially_refunded"], [data-state="refunded"]) { background: var(--info); color: var(--info-ink); }
.badges { display: flex; flex-wrap: wrap; gap: .4rem; }
.filter { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; background: var(--paper); border: 1px solid var(--line); border-radius: var(--round); padding: .75rem 1rem; }
.field { flex: 1 1 9rem; min-inline-size: 0; }
.field.grow { flex-grow: 3; flex-basis: 14rem; }
.filter .mistake { flex-basis: 100%; }
.rows { inline-size: 100%; border-collapse: separate; border-spacing: 0; background: var(--paper); border: 1px solid var(--line); border-radius: var(--round); }
.rows th, .rows td { padding: .55rem .75rem; text-align: start; vertical-align: top; font-weight: 400; border-block-start: 1px solid var(--line); }
.rows thead th { color: var(--soft); font-size: .8125rem; font-weight: 500; border: 0; }
.rows tbody th a { font-weight: 600; display: inline-block; min-block-size: 24px; }
.rows .number { text-align: end; }
.rows tbody .number .amount { font-weight: 600; }
.rows tbody tr:hover { background: color-mix(in srgb, var(--calm) 45%, transparent); }
.below { display: block; color: var(--soft); font-size: .8125rem; }
.when, .customer { color: var(--soft); }
.pager { display: flex; justify-content: space-between; gap: .5rem; }
.pager a:last-child { margin-inline-start: auto; }
.columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
.stack { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
.summary { display: grid; gap: .5rem; background: var(--paper); border: 1px solid var(--line); border-radius: var(--round); padding: 1.25rem 1rem; }
.summary h1 { font-size: 1rem; color: var(--soft); font-weight: 500; }
.total { font-size: 2rem; line-height: 1.2; font-weight: 650; letter-spacing: -.01em; }
.facts { display: grid; gap: .15rem .75rem; }
.facts > div { display: grid; grid-template-columns: minmax(7rem, 30%) minmax(0, 1fr); gap: .75rem; }
.facts dt { color: var(--soft); }
.facts.small { font-size: .875rem; }
.summary .facts, .matter .facts { display: flex; flex-wrap: wrap; gap: .25rem 2rem; border-block-start: 1px solid var(--line); padding-block-start: .75rem; font-size: .875rem; }
.summary .facts > div, .matter .facts > div { display: flex; gap: .5rem; }
.line { display: flex; flex-wrap: wrap; gap: .25rem .6rem; align-items: baseline; }
.line .end { margin-inline-start: auto; }
.line .end .amount { font-weight: 600; }
.cards { display: grid; gap: .75rem; }
.cards > li { display: grid; gap: .3rem; border-block-start: 1px solid var(--line); padding-block-start: .75rem; }
.cards > li:first-child { border: 0; padding: 0; }
.cards .muted, .timeline .muted { font-size: .875rem; }
.timeline { display: grid; overflow-wrap: anywhere; }
.timeline > li { display: grid; gap: .15rem; padding: 0 0 1rem; padding-inline-start: 1.25rem; position: relative; }
.timeline > li::before { content: ""; position: absolute; inset-inline-start: 0; inset-block-start: .45rem; inline-size: 9px; block-size: 9px; border-radius: 50%; background: var(--calm-ink); }
.timeline > li::after { content: ""; position: absolute; inset-inline-start: 4px; inset-block: 1.25rem -.2rem; inline-size: 1px; background: var(--line); }
.timeline > li:last-child::after { display: none; }
.timeline > li[data-kind="payment"]::before { background: var(--accent); }
.timeline > li[data-kind="review"]::before { background: var(--warn-ink); }
.raw { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .75rem; display: grid; gap: .1rem; margin-block: .25rem; background: var(--ground); }
.raw > div { display: grid; grid-template-columns: minmax(8rem, 35%) minmax(0, 1fr); gap: .5rem; font-size: .8125rem; }
.raw dt { color: var(--soft); font-family: ui-monospace, Menlo, Consolas, monospace; }
.action { display: grid; gap: .5rem; border-block-start: 1px solid var(--line); padding-block-start: .75rem; justify-items: start; }
.panel > h2 + .action { border: 0; padding: 0; }
.action .field { inline-size: 100%; max-inline-size: 20rem; }
.action .field.wide, .question .field.wide { max-inline-size: 100%; }
.question form { display: grid; gap: .75rem; }
.question p { overflow-wrap: anywhere; }
.warning { background: var(--warn); color: var(--warn-ink); border-radius: 6px; padding: .5rem .75rem; }
.link code { user-select: all; }
.qr { inline-size: 10rem; }
.qr svg { display: block; inline-size: 100%; }
.matters { display: grid; gap: 1rem; }
.matter h2 { font-size: 1.125rem; }
.explained { display: grid; gap: .75rem; }
.explained dt { font-size: .8125rem; font-weight: 600; color: var(--soft); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; }
.actions .action { border: 0; padding: 0; }
@media (width >= 60rem) {
  .columns { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); }
  .explained { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1.5rem; }
}
@media (width < 44rem) {
  .rows, .rows tbody { display: block; }
  .rows thead { position: absolute; clip-path: inset(50%); inline-size: 1px; block-size: 1px; overflow: hidden; }
  .rows tbody tr { display: grid; grid-template: "order amount" auto "customer when" auto "state when" auto / minmax(0, 1fr) auto; gap: .1rem .75rem; padding: .75rem; border-block-start: 1px solid var(--line); }
  .rows tbody tr:first-child { border: 0; }
  .rows tbody th, .rows tbody td { padding: 0; border: 0; }
  .rows tbody th { grid-area: order; }
  .rows .number { grid-area: amount; }
  .rows .customer { grid-area: customer; }
  .rows .state { grid-area: state; }
  .rows .when { grid-area: when; text-align: end; align-self: end; font-size: .8125rem; }
}`;
