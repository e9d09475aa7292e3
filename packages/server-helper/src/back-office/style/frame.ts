/** What stands around every page, and the pages that only ask or say something. */
export const frameStyle = `.skip { position: absolute; inset-inline-start: .5rem; inset-block-start: -5rem; background: var(--paper); padding: .5rem 1rem; z-index: 2; }
.skip:focus { inset-block-start: .5rem; }
header, main, footer { max-inline-size: 76rem; margin-inline: auto; padding-inline: 1rem; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1.5rem; padding-block: .5rem; }
body::before { content: ""; position: fixed; inset: 0 0 auto; block-size: 3px; background: var(--accent); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem; margin-inline-start: -.6rem; }
nav li a { display: inline-flex; align-items: center; gap: .4rem; min-block-size: 40px; padding-inline: .6rem; border-radius: 6px; color: var(--soft); text-decoration: none; font-weight: 500; }
nav li a:hover { background: var(--calm); color: var(--ink); }
nav li a[aria-current] { color: var(--ink); font-weight: 650; box-shadow: inset 0 -2px var(--accent); border-radius: 0; }
.count { background: var(--warn); color: var(--warn-ink); border-radius: 99px; padding-inline: .45em; font-size: .8125rem; line-height: 1.5; font-weight: 600; }
.who { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; font-size: .875rem; color: var(--soft); }
.who bdi { color: var(--ink); }
.who a { display: inline-flex; align-items: center; min-block-size: 32px; }
.environment { background: var(--warn); color: var(--warn-ink); border-radius: 4px; padding-inline: .5em; font-weight: 600; }
.environment[data-environment="production"] { background: var(--good); color: var(--good-ink); }
main { padding-block: 1rem 3rem; display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
footer { padding-block: 1rem 2rem; color: var(--soft); font-size: .8125rem; border-block-start: 1px solid var(--line); }
.notice { background: var(--good); color: var(--good-ink); border-radius: var(--round); padding: .75rem 1rem; font-weight: 500; }
.notice:is([data-notice="operation_failed"], [data-notice="operation_unknown"]) { background: var(--bad); color: var(--bad-ink); }
.notice:is([data-notice="operation_proposed"], [data-notice="operation_sending"], [data-notice="other_meanwhile"], [data-notice="matter_over"]) { background: var(--warn); color: var(--warn-ink); }
.message { max-inline-size: 34rem; margin-inline: auto; margin-block: 2rem; inline-size: 100%; display: grid; gap: 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: var(--round); padding: 1.5rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.mistake { background: var(--bad); color: var(--bad-ink); border-radius: 6px; padding: .5rem .75rem; font-weight: 500; }
.lead { color: var(--soft); max-inline-size: 60rem; }
.empty { background: var(--paper); border: 1px dashed var(--line); border-radius: var(--round); padding: 2.5rem 1rem; text-align: center; color: var(--soft); }
.empty strong { color: var(--ink); display: block; }
.up { font-size: .875rem; margin-block-end: -.5rem; }
.up a { display: inline-block; min-block-size: 24px; }
.panel { background: var(--paper); border: 1px solid var(--line); border-radius: var(--round); padding: 1rem; display: grid; gap: .75rem; grid-template-columns: minmax(0, 1fr); align-content: start; }`;
