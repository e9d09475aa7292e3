import { fine, helpOf, notChecked, type Check, type CheckResult } from './check.ts';
import { judgeElements } from './page-elements.ts';
import { elementsOf, type WrittenElement } from './page-html.ts';
import { blockedBy, policiesOf, type Policy } from './page-policy.ts';
import { ask } from './running-shop.ts';

const MOST_SCRIPTS = 20;

/** Whether a page with `<pay-button>` gets the script that brings it to life, and lets it work. */
export const checkPage: Check = {
  id: 'widget',
  title: 'Widget',
  needs: ['network'],
  async run({ page, settings }) {
    if (page === undefined) {
      const fix = 'Name one: --page https://shop.example/checkout/1001';
      return [notChecked('widget', 'Only you know which page holds <pay-button>.', fix)];
    }
    const answer = await ask(page);
    if (typeof answer === 'string' || answer.status !== 200) {
      const said = typeof answer === 'string' ? answer : `HTTP ${answer.status}`;
      return [wrong('page_not_served', `${page} does not answer with a page (${said}).`)];
    }
    const elements = elementsOf(answer.text);
    if (!elements.some(({ name }) => name === 'pay-button' || name === 'pay-status')) {
      return [wrong('widget_not_on_page', `There is no <pay-button> in the page ${page}.`)];
    }
    const policies = policiesOf(answer.headers.get('content-security-policy'), elements);
    const read = { url: new URL(page), elements, policies };
    return [await checkScripts(page, elements, policies), ...(await judgeElements(read, settings))];
  },
};

async function checkScripts(
  page: string,
  elements: readonly WrittenElement[],
  policies: readonly Policy[],
): Promise<CheckResult> {
  const scripts = elements.filter(
    ({ name, attributes }) => name === 'script' && attributes.has('src'),
  );
  const faults: string[] = [];
  for (const { attributes } of scripts.slice(0, MOST_SCRIPTS)) {
    const url = URL.parse(attributes.get('src') ?? '', page) ?? new URL(page);
    const answer = await ask(url.href);
    const isScript =
      typeof answer !== 'string' && answer.status === 200 && /javascript/i.test(answer.type);
    if (!isScript) faults.push(url.href);
    else if (/pay-button/.test(answer.text)) {
      const directive = blockedBy(policies, 'script', url, new URL(page), attributes.get('nonce'));
      if (directive === undefined) return fine(`${url.href} brings it`);
      return {
        ...wrong('policy_blocks', `The page’s policy does not admit its script ${url.href}.`),
        fix: `Add ${url.origin === new URL(page).origin ? "'self'" : url.origin} to ${directive}.`,
      };
    }
  }
  return faults.length > 0
    ? wrong('script_not_served', `The page’s script ${faults[0]} is not served as JavaScript.`)
    : wrong('widget_not_loaded', 'No script of the page brings the elements.');
}

const wrong = (code: string, what: string) => ({
  status: 'wrong' as const,
  code,
  what,
  why: 'Without the script <pay-button> stays as it is in the page, or shows nothing.',
  fix: 'Serve the widget’s file and put one script tag of type module on the page, as its README shows. A bundle that loads it later cannot be checked this way.',
  help: helpOf('widget'),
});
