import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';

/** The shop's answers by name. */
type Answers = Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => void>
>;

const link = (path: string) => (request: IncomingMessage, response: ServerResponse) =>
  json(response, 201, { redirectUrl: `http://${request.headers.host}${path}` });
const problem = (number: number, code: string) => (_: IncomingMessage, response: ServerResponse) =>
  json(response, number, { code });

/** The answers that the playground's shop can give to a press. */
const answers: Answers = {
  link: link('/shop/hosted'),
  slow: (request, response) => setTimeout(() => link('/shop/hosted')(request, response), 2_500),
  // The page's own address with a fragment: the browser goes there without leaving.
  stays: (request, response) => {
    const page = request.headers.referer ?? `http://${request.headers.host}/`;
    json(response, 201, { redirectUrl: `${page}#stays` });
  },
  paid: problem(409, 'already_paid'),
  refused: problem(502, 'gateway_rejected'),
  silent: problem(502, 'gateway_unreachable'),
  html: (_, response) => response.writeHead(500).end('<h1>Oops</h1>'),
  reset: (_, response) => response.destroy(),
  hangs: () => {},
  hostile: (_, response) => json(response, 201, { redirectUrl: 'javascript:alert(1)' }),
};

/** A shop and a hosted page for the playground, and the elements' description for its controls. */
export function playgroundBackend(elements: readonly object[]): Plugin {
  return {
    name: 'playground-backend',
    configureServer(server) {
      server.middlewares.use('/shop', (request, response) => {
        const [, place, name = ''] = (request.url ?? '').split('/');
        if (place === 'elements') json(response, 200, elements);
        else if (place === 'checkout') {
          (Object.hasOwn(answers, name) ? answers[name] : answers['link'])?.(request, response);
        } else if (place === 'status') json(response, 200, status(name));
        else if (place === 'hosted') hosted(response);
        else response.writeHead(204).end();
      });
    },
  };
}

function status(state: string): object {
  return {
    orderId: '1001',
    state,
    amount: '115.00',
    currency: 'SAR',
    updatedAt: '2026-01-01T00:00:00Z',
  };
}

function json(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function hosted(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
    <title>Hosted page</title><style>:root { color-scheme: light dark; font: 1.125rem/1.6
    system-ui; } body { max-inline-size: 32rem; margin: 20vh auto; padding: 1rem; }</style>
    <main><h1>The gateway’s page</h1><p>In a shop, the card goes in here. Go back to see that the
    button is ready again and focused.</p></main></html>`);
}
