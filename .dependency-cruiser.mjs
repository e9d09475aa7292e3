const packages = ['widget', 'server-helper', 'gateway-sandbox', 'create'];
const helper = '^packages/server-helper/src';
const widget = '^packages/widget/src';
const sandbox = '^packages/gateway-sandbox/src';
const tests = '[.]test[.]ts$|/testing/|/testing[.]ts$|/test-support/';

/** A rule of the import direction: what `from` may not import, and why. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export default {
  forbidden: [
    forbid('no-cycles', 'A cycle has no order in which to read it.', {}, { circular: true }),
    forbid(
      'imports-resolve',
      'An import that leads nowhere is not checked by the other rules.',
      // The packages of bench/ are installed for a measurement only; `npm run test:all` compiles it.
      { pathNot: '^bench/' },
      { couldNotResolve: true },
    ),
    ...packages.map((name) =>
      forbid(
        `${name}-stands-alone`,
        'Packages never import each other; they share data in contract/.',
        // A starter is the code of a merchant, who brings the packages together.
        { path: `^packages/${name}/`, pathNot: `^packages/${name}/starter/` },
        { path: `^packages/(?!${name}/)|(^|/)node_modules/@pay-button/(?!${name}/)` },
      ),
    ),
    forbid(
      'packages-know-no-shop',
      'demo, e2e, bench and scripts stand on the packages, never the reverse.',
      { path: '^packages/', pathNot: tests },
      { path: '^(demo|e2e|bench|scripts|contract)/' },
    ),
    forbid(
      'demo-knows-no-test',
      'The shop is the composition root of the packages and of nothing else.',
      { path: '^demo/', pathNot: tests },
      { path: '^(e2e|bench|scripts|contract)/' },
    ),
    forbid(
      'sources-know-no-tests',
      'What is published must not need a test.',
      { path: '^(packages|demo)/', pathNot: tests },
      { path: '[.]test[.]ts$|/src/testing/|/test-support/' },
    ),
    forbid(
      'payments-are-pure',
      'payments/ decides about money: it imports nothing but money and ids.',
      { path: `${helper}/payments/`, pathNot: tests },
      { pathNot: `${helper}/(payments/|(money|ids)[.]ts$)` },
    ),
    forbid(
      'leaves-stay-leaves',
      'money, its currencies, ids and errors are below everything else.',
      { path: `${helper}/(money|currencies|ids|errors)[.]ts$` },
      { pathNot: `${helper}/(money|currencies|ids|errors)[.]ts$|^node:` },
    ),
    forbid(
      'gateway-and-stores-know-no-flow',
      'Imports run adapters → edges; edges, cli → flows → options → payments, gateway, stores.',
      { path: `${helper}/(gateway|stores|payments)/`, pathNot: tests },
      { path: `${helper}/(adapters|edges|cli|flows|options)/` },
    ),
    forbid(
      'gateway-and-stores-do-not-meet',
      'Only flows bring the gateway and a store together.',
      { path: `${helper}/(gateway|stores)/`, pathNot: tests },
      { path: `${helper}/(gateway|stores)/`, pathNot: `${helper}/$1/` },
    ),
    forbid(
      'flows-and-options-know-no-edge',
      'A use case does not know who asked, and an option knows no use case.',
      { path: `${helper}/(flows|options)/`, pathNot: tests },
      { path: `${helper}/(adapters|edges|cli|flows)/`, pathNot: `${helper}/$1/` },
    ),
    forbid(
      'edges-know-no-framework',
      'A route serves Express and fetch alike, so it knows neither.',
      { path: `${helper}/edges/`, pathNot: tests },
      { path: `${helper}/adapters/|node_modules/(@types/)?express/` },
    ),
    forbid(
      'nothing-knows-the-back-office',
      'It is an entry of its own: a shop without it loads none of it.',
      { path: `${helper}/`, pathNot: [`${helper}/back-office/`, tests] },
      { path: `${helper}/back-office/` },
    ),
    forbid(
      'tools-know-the-api-alone',
      'The command line and the back office use the API, parts.ts, adapters and words: so can anyone.',
      { path: `${helper}/(cli|back-office)/`, pathNot: tests },
      { path: `${helper}/(edges/|flows/|gateway/|options/|payments|stores/)` },
    ),
    forbid(
      'widget-decides-purely',
      'State and request code know neither element nor controller.',
      { path: `${widget}/(checkout-state|checkout-api|redirect|amount|attempt-key)[.]ts$` },
      { path: `${widget}/(pay-button|pay-status|checkout-controller|page|index)[.]ts$` },
    ),
    forbid(
      'widget-controller-knows-no-element',
      'A controller depends on the host interface, not on an element.',
      { path: `${widget}/checkout-controller[.]ts$` },
      { path: `${widget}/(pay-button|pay-status|index)[.]ts$` },
    ),
    forbid(
      'widget-needs-only-lit',
      'Every byte is loaded by a shopper.',
      // frameworks/ holds types only, which no shopper loads.
      { path: `${widget}/`, pathNot: `${tests}|${widget}/frameworks/` },
      { path: 'node_modules', pathNot: 'node_modules/(@lit/|lit(-html|-element)?/|@lit-labs/)' },
    ),
    forbid(
      'sandbox-domain-is-pure',
      'The core is one pure function: it imports nothing around it but the masking of card numbers.',
      { path: `${sandbox}/domain/`, pathNot: tests },
      { path: `${sandbox}/`, pathNot: `${sandbox}/(domain/|redaction[.]ts$)` },
    ),
    forbid(
      'sandbox-state-knows-no-http',
      'Imports run http, gateway, control, pages → machine, tenants, faults, webhooks → domain.',
      {
        path: `${sandbox}/(faults|journal|machine|request-log|tenants|webhooks/)`,
        pathNot: tests,
      },
      { path: `${sandbox}/(control|gateway|http|pages)/` },
    ),
    forbid(
      'sandbox-needs-little',
      'A tool that runs offline in CI brings as little as it can.',
      { path: `${sandbox}/`, pathNot: tests },
      { path: 'node_modules', pathNot: 'node_modules/((@types/)?express|zod)/' },
    ),
    forbid(
      'sandbox-starts-without-zod',
      'Only the control API and the check of a profile need zod; both load it at the first use.',
      {
        path: `${sandbox}/`,
        pathNot: [tests, `${sandbox}/control/`, `${sandbox}/readings/read-profile`],
      },
      { path: 'node_modules/zod/' },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // bench/peers is installed by the bench itself, where it is measured.
    exclude: { path: '^((packages/[^/]+|demo)/dist|bench/peers)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@pay-button/source', 'import', 'module-sync', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.json', '.d.ts'],
    },
  },
};
