/** The gateway's page, and what is shown once. */
export const gatewayStyle = `.keys { display: grid; gap: .35rem; }
.records .buttons .action { border: 0; padding: 0; }
.warning, .good { border-radius: 6px; padding: .5rem .75rem; font-weight: 500; }
.warning { background: var(--warn); color: var(--warn-ink); }
.good { background: var(--good); color: var(--good-ink); }
details > .action { border: 0; }
.choice { display: flex; gap: .5rem; align-items: center; min-block-size: 24px; }
.action .field.grow { max-inline-size: none; }
.message .secret { display: inline-block; margin-block-end: .5rem; padding: .5rem .75rem; border: 1px dashed var(--accent); border-radius: 6px; background: var(--ground); font-size: .9375rem; }
.steps { display: grid; gap: .5rem; padding-inline-start: 1.5rem; list-style: decimal; }
.steps code { display: block; }`;
