import { fine, helpOf, type Check, type CheckResult } from './check.ts';
import { ask } from './running-shop.ts';

const MOST_SCRIPTS = 20;

/** Whether a page with `<pay-button>` gets the script that brings it to life. */
export const checkPage: Check = {
  id: 'widget',
  title: 'Widget',
  needs: ['network'],
  async run({ page }) {
    if (page === undefined) {
      return [
        {
          status: 'unchecked',
          code: 'not_checked',
          what: 'Not checked.',
          why: 'Only you know which page holds <pay-button>.',
          fix: 'Name one: --page https://shop.example/checkout/1001',
          help: helpOf('widget'),
        },
      ];
    }
    const answer = await ask(page);
    if (typeof answer === 'string' || answer.status !== 200) {
      const said = typeof answer === 'string' ? answer : `HTTP ${answer.status}`;
      return [wrong('page_not_served', `${page} does not answer with a page (${said}).`)];
    }
    if (!/<pay-(?:button|status)[\s>]/i.test(answer.text)) {
      return [wrong('widget_not_on_page', `There is no <pay-button> in the page ${page}.`)];
    }
    return [await checkScripts(page, answer.text)];
  },
};

async function checkScripts(page: string, html: string): Promise<CheckResult> {
  const sources = [...html.matchAll(/<script\b[^>]*\ssrc\s*=\s*["']?([^"'\s>]+)/gi)].map(
    ([, source = '']) => source,
  );
  const faults: string[] = [];
  for (const source of sources.slice(0, MOST_SCRIPTS)) {
    const url = URL.parse(source, page)?.href ?? page;
    const answer = await ask(url);
    const isScript =
      typeof answer !== 'string' && answer.status === 200 && /javascript/i.test(answer.type);
    if (isScript && /pay-button/.test(answer.text)) return fine(`${url} brings it`);
    if (!isScript) faults.push(url);
  }
  return faults.length > 0
    ? wrong('script_not_served', `The page’s script ${faults[0]} is not served as JavaScript.`)
    : wrong('widget_not_loaded', 'No script of the page brings the elements.');
}

const wrong = (code: string, what: string): CheckResult => ({
  status: 'wrong',
  code,
  what,
  why: 'Without the script <pay-button> stays as it is in the page, or shows nothing.',
  fix: 'Serve the widget’s file and put one script tag of type module on the page, as its README shows. A bundle that loads it later cannot be checked this way.',
  help: helpOf('widget'),
});
