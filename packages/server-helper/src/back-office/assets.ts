import type { Answer } from '../parts.ts';
import { instantFormat, locales } from './html.ts';
import { createHash } from 'node:crypto';

/** Colours, type, and the elements as they are. */
const baseStyle = `:root {
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
button.small, .records button { min-block-size: 24px; padding: 0 .5rem; font-size: .8125rem; }
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

/** What stands around every page, and the pages that only ask or say something. */
const frameStyle = `.skip { position: absolute; inset-inline-start: .5rem; inset-block-start: -5rem; background: var(--paper); padding: .5rem 1rem; z-index: 2; }
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

/** Lists, facts, timelines and tables. */
const contentStyle = `.badge { display: inline-block; border-radius: 4px; padding-inline: .5em; font-size: .8125rem; font-weight: 600; line-height: 1.65; background: var(--calm); color: var(--calm-ink); white-space: nowrap; }
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
.raw > div { display: grid; grid-template-columns: minmax(9rem, 35%) minmax(0, 1fr); gap: .5rem; font-size: .8125rem; }
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

/** The overview: what waits, figures and charts. */
const figureStyle = `.waits { display: grid; }
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

/** The gateway's page, and what is shown once. */
const gatewayStyle = `.keys { display: grid; gap: .35rem; }
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

const style = [baseStyle, frameStyle, contentStyle, figureStyle, gatewayStyle].join('\n');

/**
 * The script of the pages. All works without it: it writes times in the reader's own zone, and adds
 * buttons that copy.
 */
const script = `(() => {
  const { lang, dataset } = document.documentElement;
  const locale = ${JSON.stringify(locales)}[lang];
  const format = new Intl.DateTimeFormat(locale, ${JSON.stringify(instantFormat)});
  for (const time of document.querySelectorAll('time[datetime*="T"]')) {
    time.title = time.textContent;
    time.textContent = format.format(new Date(time.dateTime));
  }
  const zone = document.querySelector('[data-zone]');
  if (zone) zone.textContent = format.resolvedOptions().timeZone;
  const status = document.querySelector('[data-spoken]');
  for (const place of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet small';
    button.textContent = dataset.copyLabel;
    button.setAttribute('aria-label', dataset.copyLabel + ' ' + place.dataset.copy);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(place.textContent.trim());
      button.textContent = dataset.copiedLabel;
      if (status) status.textContent = dataset.copiedLabel;
      setTimeout(() => { button.textContent = dataset.copyLabel; if (status) status.textContent = ''; }, 2000);
    });
    place.after(' ', button);
  }
})();
`;

/** A file that pages load; its address holds a hash of it, so that a browser keeps it for ever. */
interface Asset {
  readonly address: string;
  readonly type: string;
  readonly text: string;
}

const asset = (ending: string, type: string, text: string): Asset => {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { address: `assets/${hash}.${ending}`, type: `${type}; charset=utf-8`, text };
};

/** The one style sheet and the one script, by the names that the layout uses. */
export const assets = {
  style: asset('css', 'text/css', style),
  script: asset('js', 'text/javascript', script),
} as const;

/** The answer for the address of an asset; `null` for another address. */
export function assetAt(address: string): Answer | null {
  const found = Object.values(assets).find((one) => one.address === address);
  if (found === undefined) return null;
  const headers = {
    'content-type': found.type,
    'cache-control': 'private, max-age=31536000, immutable',
  };
  return { status: 200, headers, text: found.text };
}
