import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Express, NextFunction, Request, Response } from 'express';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  expressHost,
  expressVersions,
  hostOf,
  type ServeShop,
} from '../../test-support/shop-host.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { expectProblem, type Reply, type Shop, type ShopOptions } from '../../test-support/shop.ts';
import type { RouterOptions } from '../index.ts';

const SECRET = 'whsec_5f1c0a7be2d94f36';
const JSON_TYPE = { 'content-type': 'application/json' };
const order = { orderId: '1001' };

type ExpressModule = (typeof expressVersions)[number][1];
type Prepare = (app: Express) => unknown;

/** Body parsers before the routes. */
const parsersOf = (express: ExpressModule): Readonly<Record<string, Prepare>> => {
  const keeping = (form: (bytes: Buffer) => unknown) =>
    express.json({ verify: (of, _to, bytes) => Object.assign(of, { rawBody: form(bytes) }) });
  const form = express.urlencoded({ extended: true });
  return {
    'express.json': (app) => app.use(express.json()),
    'express.urlencoded': (app) => app.use(form),
    'express.raw of everything': (app) => app.use(express.raw({ type: () => true })),
    'express.text of everything': (app) => app.use(express.text({ type: () => true })),
    'express.json that keeps the bytes': (app) => app.use(keeping((all) => new Uint8Array(all))),
    'express.json that keeps the text': (app) => app.use(keeping(String)),
    'all four': (app) => app.use(express.json(), form, express.raw(), express.text()),
  };
};

it('the router says what to write where a framework gives it a request of the Fetch standard', async () => {
  const router = (await startShop()).payments.router() as (...given: unknown[]) => void;
  const request = new globalThis.Request('https://shop.example/pay/checkout', { method: 'POST' });
  expect(() => router(request, () => undefined)).toThrow(/payments\.handle\(request\)/);
});

describe.each(expressVersions)('the router in %s', (_version, express) => {
  const start = (options: Omit<ShopOptions, 'prepare'> & { prepare?: Prepare } = {}) =>
    startShop({ serve: expressHost(express), ...options });
  const parsers = parsersOf(express);

  it.each(Object.entries(parsers))('takes and refuses bodies behind %s', async (_name, prepare) => {
    const shop = await start({ prepare });
    const large = { ...order, note: 'x'.repeat(17_000) };
    expectProblem(await shop.checkout(large), 413, 'body_too_large');
    expectProblem(await shop.checkout({ ...order, amount: '0.01' }), 422, 'invalid_body');
    const text = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'orderId=1' };
    expectProblem(await shop.send('/pay/checkout', text), 415, 'unsupported_media_type');
    expect(shop.gateway.seen).toHaveLength(0);
    const { merchantOrderId } = await shop.open();
    const chunks = { method: 'POST', headers: JSON_TYPE, body: ['{"order', 'Id":"10', '01"}'] };
    expect((await shop.send('/pay/checkout', chunks)).status).toBe(201);
    expect((await shop.submit('/pay/checkout', 'orderId=1001')).status).toBe(303);
    await shop.notify({ merchantOrderId });
    await expect.poll(() => shop.gateway.statusCalls).toHaveLength(1);
    shop.later();
    await shop.submit('/pay/webhook/key', `merchantOrderId=${encodeURIComponent(merchantOrderId)}`);
    await expect.poll(() => shop.gateway.statusCalls).toHaveLength(2);
  });

  it.each([
    [200, 'no parser'],
    [200, 'express.raw of everything'],
    [200, 'express.text of everything'],
    [200, 'express.json that keeps the bytes'],
    [200, 'express.json that keeps the text'],
    [500, 'express.json'],
  ])('answers %i to a signed webhook behind %s', async (status, name) => {
    const payments = { webhookSecrets: [SECRET] };
    const shop = await start({ prepare: parsers[name] ?? (() => undefined), payments });
    const body = '{"merchantOrderId" : "1001~1", "reason":"رصيد"}';
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const deliver = (headers: Readonly<Record<string, string>>): Promise<Reply> =>
      shop.send('/pay/webhook', { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
    const reply = await deliver({ 'x-signature': signature });
    expect(reply.status).toBe(status);
    if (status !== 200) {
      expectProblem(reply, 500, 'body_already_read');
      expect(shop.logged.join()).toContain('verify');
    }
    expectProblem(await deliver({}), 401, 'invalid_signature');
  });

  it('leaves bodies and paths that are none of ours to the app', async () => {
    const shop = await start({
      finish: (app) => {
        app.use(express.json());
        app.post('/own', (request, response) => void response.json(request.body as object));
        app.get('/pay/own', (_request, response) => void response.end('own'));
      },
    });
    expect((await shop.checkout(order)).status).toBe(201);
    expect((await shop.post('/own', { a: 1 })).text).toBe('{"a":1}');
    expect((await shop.send('/pay/own')).text).toBe('own');
    expect((await shop.send('/pay/status')).status).toBe(404);
    expect((await shop.send('/pay/return/other/x')).text).toContain('Cannot GET');
  });

  it('calls a body that something else has swallowed a wiring mistake, never a lost hint', async () => {
    const prepare: Prepare = (app) =>
      app.use((request, _response, next) => {
        request.resume().on('end', () => next());
      });
    const shop = await start({ prepare });
    expectProblem(await shop.notify({}), 500, 'body_already_read');
    expectProblem(await shop.checkout(order), 500, 'body_already_read');
    expect(shop.logged.join()).toContain('docs/errors.md#body_already_read');
  });

  it.each(['/pay', '/', '/a/b', '/Shop/Pay'])('works below %s', async (mountPath) => {
    const shop = await start({ mountAt: mountPath, payments: { mountPath } });
    const base = mountPath.replace(/\/$/, '');
    const reply = await shop.post(`${base}/checkout`, order);
    expect(reply.status).toBe(201);
    const { statusUrl } = reply.json as { statusUrl: string };
    for (const path of [new URL(statusUrl).pathname, `${base}/health/`, `${base}/HEALTH`]) {
      expect([path, (await shop.send(path)).status]).toEqual([path, 200]);
    }
  });

  it('works in an app within an app', async () => {
    const payments = { mountPath: '/shop/pay' };
    const shop = await start({ mountAt: '/shop', within: '/pay', payments });
    expect((await shop.post('/shop/pay/checkout', order)).status).toBe(201);
  });

  it('keeps two merchants in one app to themselves', async () => {
    const other = await startShop({ payments: { mountPath: '/other', merchant: 'other' } });
    const shop = await start({ finish: (app) => app.use('/other', other.payments.router()) });
    const reply = await shop.post('/other/checkout', order);
    expect(reply.status).toBe(201);
    expect([shop.gateway.creates.length, other.gateway.creates.length]).toEqual([0, 1]);
    const foreign = (reply.json['statusUrl'] as string).replace('/other/', '/pay/');
    expectProblem(await shop.send(new URL(foreign).pathname), 404, 'not_found');
  });
});

describe.each(expressVersions)('a mistake in an app of %s', (_version, express) => {
  const errors: unknown[] = [];
  beforeEach(() => {
    errors.length = 0;
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    return () => vi.restoreAllMocks();
  });

  /** Serves a handler in an app that has an error handler. */
  const serving =
    (
      handler: (payments: Shop['payments']) => unknown,
      handle: (response: Response) => void = () => undefined,
    ): ServeShop =>
    (payments) => {
      const app = express();
      app.use('/pay', handler(payments) as never);
      app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
        errors.push(error);
        handle(response);
        next(error);
      });
      return hostOf(app.listen(0, '127.0.0.1'));
    };

  const OWN = new RangeError('canary: the shelf is empty');

  /** Asks for a link of a shop whose `loadOrder` throws. */
  const ask = async (options?: RouterOptions, handle?: (response: Response) => void) => {
    const loadOrder = (): never => {
      throw OWN;
    };
    const serve = serving((payments) => payments.router(options), handle);
    const shop = await startShop({ serve, payments: { loadOrder } });
    return shop.checkout(order, { connection: 'keep-alive' });
  };

  it('stays with onError, unless the router is asked to pass it on', async () => {
    const reply = await ask();
    expectProblem(reply, 500, 'internal_error');
    expect(reply.headers.connection).toBe('keep-alive');
    expect(errors).toEqual([]);
  });

  it.each([
    ['answers nothing', () => undefined],
    ['answers all the same', (response: Response) => response.status(418).json({ the: 'stack' })],
  ])('is handed, once the shopper has the problem, to a handler that %s', async (_how, answer) => {
    let wasSent = false;
    const reply = await ask({ passErrors: true }, (response) => {
      wasSent = response.writableFinished;
      answer(response);
    });
    expectProblem(reply, 500, 'internal_error');
    expect(reply.text).not.toContain('canary');
    expect(reply.headers.connection).toBe('close');
    await expect.poll(() => errors).toEqual([OWN]);
    expect(wasSent).toBe(true);
  });

  it.each<[string, (payments: Shop['payments']) => unknown, string]>([
    ['payments.router', (payments) => Reflect.get(payments, 'router'), 'router_not_called'],
    ['payments.handle', ({ handle }) => handle, 'not_a_request'],
  ])('such as mounting %s as it is says what to write, and no request hangs', async (...given) => {
    const [, handler, code] = given;
    const shop = await startShop({ serve: serving(handler) });
    expect((await shop.send('/pay/health')).status).toBe(500);
    const message = expect.stringContaining('app.use("/pay", payments.router())') as unknown;
    expect(errors[0]).toMatchObject({ code, message });
    // At once: Express 4 sees no rejection.
    expect(() => shop.payments.handle({} as never)).toThrow(/no Request/);
  });

  it.each([
    [{ passError: true }, 'There is no option router.passError.'],
    [{ passErrors: 'yes' }, 'The option router.passErrors must be true or false.'],
  ])('such as a wrong option of the router is told at start: %j', async (options, told) => {
    const { payments } = await startShop();
    expect(() => payments.router(options as never)).toThrow(told);
  });
});

const forwarded = { 'x-forwarded-for': '203.0.113.7' };

describe.each(expressVersions)('a proxy in front of an app of %s', (_version, express) => {
  const serve = expressHost(express);

  const warnings = async (options: ShopOptions, headers = {}): Promise<string> => {
    const shop = await startShop({ serve, ...options });
    await shop.checkout(order, headers);
    await shop.checkout(order, headers);
    expect(shop.logged.length).toBeLessThanOrEqual(1);
    return shop.logged.join();
  };

  it('that is not trusted is told once', async () => {
    expect(await warnings({}, forwarded)).toContain('docs/errors.md#untrusted_proxy');
  });

  const everybody = [true, () => true, '0.0.0.0/1, 128.0.0.0/1'];
  it.each(everybody)('that is trusted at any address is warned of once: %s', async (proxies) => {
    for (const headers of [{}, forwarded]) {
      expect(await warnings({ proxies }, headers)).toContain('docs/errors.md#permissive_proxy');
    }
  });

  it.each([true, () => true])(
    'that is trusted whatever its address gives no client the address of this machine: %s',
    async (proxies) => {
      const payments = { limits: { checkoutsPerAddress: 2 } };
      const shop = await startShop({ serve, proxies, payments });
      const statuses: number[] = [];
      for (const own of ['127.0.0.1', '[::1]:4711', '127.9.9.9']) {
        statuses.push((await shop.checkout(order, { 'x-forwarded-for': own })).status);
      }
      statuses.push((await shop.checkout(order)).status);
      expect(statuses).toEqual([201, 201, 429, 201]);
    },
  );

  it.each([
    { proxies: 1 },
    { proxies: 'loopback' },
    { proxies: '10.0.0.0/8' },
    { payments: { limits: false as const } },
  ])('is not told of where it does no harm: %j', async (options) => {
    expect(await warnings(options, forwarded)).toBe('');
  });
});

describe('the router in a framework that is not Express', () => {
  type Router = ReturnType<Shop['payments']['router']>;
  type Listener = (request: IncomingMessage, response: ServerResponse) => void;

  /** A server whose framework does with a request what `frame` says before the router is called. */
  const start = (
    frame: (request: IncomingMessage) => void = () => undefined,
    payments: ShopOptions['payments'] = {},
  ): Promise<Shop> =>
    serve(payments, (router) => (request, response) => {
      frame(request);
      router(request, response, () => void response.end('the shop’s own'));
    });
  const serve = (payments: ShopOptions['payments'] & {}, listener: (router: Router) => Listener) =>
    startShop({
      payments,
      serve: (made) => hostOf(createServer(listener(made.router())).listen(0, '127.0.0.1')),
    });

  it('finds its routes in the whole address where nothing was taken off', async () => {
    const shop = await start();
    expect((await shop.post('/pay/checkout', order)).status).toBe(201);
    expect((await shop.post('/PAY/Checkout/?from=mail', order)).status).toBe(201);
    const below = await start(undefined, { publicUrl: 'https://example.com/shop' });
    expect((await below.post('/shop/pay/checkout', order)).status).toBe(201);
  });

  it('finds its routes where the mount was taken off the address, as Connect and middie do', async () => {
    const shop = await start((request) => {
      const whole = request.url ?? '';
      const url = whole.replace(/^\/(?:pay|shop)(?=\/)/, '');
      Object.assign(request, { originalUrl: whole, url });
    });
    expect((await shop.post('/pay/checkout?from=mail', order)).status).toBe(201);
    expectProblem(await shop.post('/shop/checkout', order), 500, 'mount_mismatch');
  });

  it('answers 404 to what is no route where it is the whole listener', async () => {
    const shop = await serve({}, (router) => router);
    for (const path of ['/', '/pay', '/pay/nothing', '/own/page']) {
      expectProblem(await shop.send(path), 404, 'not_found');
    }
  });

  it('leaves every other path to the shop, the names of its routes elsewhere too', async () => {
    const shop = await start();
    const paths = '/ /checkout /health /pay /payments/checkout /pay/own /a/pay/checkout';
    for (const path of paths.split(' ')) {
      expect((await shop.post(path, order)).text).toBe('the shop’s own');
    }
    expect(shop.logged).toEqual([]);
  });

  it('is warned once of a proxy whose word about addresses nobody takes', async () => {
    /** A framework that finds the shopper's address in a header. */
    const shop = await start((request) => {
      const ip = request.headers['x-real-ip'];
      if (ip !== undefined) Object.assign(request, { ip });
    });
    await shop.checkout(order, { ...forwarded, 'x-real-ip': '203.0.113.7' });
    await shop.checkout(order, { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' });
    expect(shop.logged).toEqual([]);
    await shop.checkout(order, forwarded);
    await shop.checkout(order, forwarded);
    expect(shop.logged).toEqual([expect.stringContaining('docs/errors.md#untrusted_proxy')]);
  });
});
