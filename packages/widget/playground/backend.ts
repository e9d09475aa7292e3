import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const link: Answer = ({ headers }, response) =>
  json(response, 201, { redirectUrl: `http://${headers.host}/shop/hosted` });

function problem(number: number, code: string): Answer {
  return (_, response) => json(response, number, { code });
}

const order = { orderId: '1001', amount: '115.00', currency: 'SAR' };

/** The answers that the playground's shop can give to a press. */
const answers: Readonly<Record<string, Answer>> = {
  link,
  slow: (request, response) => setTimeout(link, 2_500, request, response),
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
        } else if (place === 'status') json(response, 200, { ...order, state: name });
        else if (place === 'hosted') hosted(response);
        else response.writeHead(204).end();
      });
    },
  };
}

function json(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function hosted(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><html lang="en"><title>Hosted page</title>
    <meta name="viewport" content="width=device-width"><h1>The gateway’s page</h1>
    <p>The card goes in here. Go back to see that the button is ready again and focused.</p></html>`);
}
