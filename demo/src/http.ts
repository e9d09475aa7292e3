import { createHash, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import helmet from 'helmet';

/** A decoded JSON body or form, read field by field. */
export interface BodyFields {
  /** A text; empty when the field is absent or no text. */
  text(name: string): string;
  /** The value as it came. */
  value(name: string): unknown;
}

/** Reads a decoded JSON body or form. */
export function bodyFields(body: unknown): BodyFields {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  const value = (name: string): unknown => fields.get(name);
  const text = (name: string): string => {
    const given = value(name);
    return typeof given === 'string' ? given : '';
  };
  return { value, text };
}

/** Reads a posted form. */
export const readForm = express.urlencoded({ extended: false, limit: '16kb' });

/** One field of a posted form; empty when the field is absent or sent twice. */
export function formField(request: Request, name: string): string {
  return bodyFields(request.body).text(name);
}

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads one cookie of a request; `undefined` when it is absent or not readable. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(at + 1).trim());
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Sets a cookie that no script can read and no other site's form can use. */
export function setCookie(response: Response, name: string, value: string, days: number): void {
  response.cookie(name, value, {
    httpOnly: true,
    sameSite: 'lax',
    secure: response.app.get('secure cookies') === true,
    maxAge: days * DAY_MS,
    path: '/',
  });
}

const SESSION_COOKIE = 'shop_session';
const SESSION_DAYS = 180;

/**
 * Who is asking, as a fingerprint of the `shop_session` cookie. Orders keep the fingerprint, so
 * a reader of the database cannot become one of its shoppers.
 *
 * @returns `undefined` for someone without a session, who owns nothing.
 */
export function visitorOf(request: Request): string | undefined {
  const session = readCookie(request, SESSION_COOKIE);
  return session !== undefined && /^[\w-]{43}$/.test(session) ? fingerprint(session) : undefined;
}

/** Who is asking, with a new session for someone who has none yet. */
export function welcomeVisitor(request: Request, response: Response): string {
  const known = visitorOf(request);
  if (known !== undefined) return known;
  const session = randomBytes(32).toString('base64url');
  setCookie(response, SESSION_COOKIE, session, SESSION_DAYS);
  return fingerprint(session);
}

function fingerprint(session: string): string {
  return createHash('sha256').update(session).digest('base64url');
}

/**
 * Answers by the shop's own names only: the host of its public address, `localhost`, and numeric
 * addresses. A page of another site can let its own name lead to this shop (DNS rebinding), and would
 * count as the shop's own page; nobody can do that with the names above. Programs that send no `Host`
 * pass, since browsers always send one.
 */
export function ownHostsOnly(publicUrl: string): RequestHandler {
  const shop = new URL(publicUrl).hostname;
  return (request, response, next) => {
    const { host } = request.headers;
    const name = host === undefined ? shop : (URL.parse(`http://${host}`)?.hostname ?? '');
    const isNumeric = isIP(name.replaceAll(/[[\]]/g, '')) !== 0;
    if (name === shop || name === 'localhost' || isNumeric) return next();
    sendProblem(response, {
      status: 421,
      code: 'unknown_host',
      title: 'This is not the shop’s name',
      detail: 'Set PUBLIC_URL to the address that shoppers use, or open the shop by that address.',
    });
  };
}

/**
 * Strict headers for every answer: own scripts, styles and images only, no frame around the shop.
 *
 * @param gatewayOrigins - Where a payment form may lead. Browsers check `form-action` again when the
 * answer to a form redirects, so the gateway's pages have to be named for the way without scripts.
 */
export function securityHeaders(
  publicUrl: string,
  gatewayOrigins: readonly string[],
): RequestHandler {
  const isSecure = publicUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'", ...gatewayOrigins],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isSecure,
  });
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Sends someone who opens the shop by another name of this machine to its public address. The
 * gateway sends shoppers back there, and `127.0.0.1` and `localhost` do not share a session.
 */
export function publicAddress(publicUrl: string): RequestHandler {
  const shop = new URL(publicUrl);
  return (request, response, next) => {
    const asked = URL.parse(`http://${request.headers.host ?? ''}`);
    const isOtherName =
      asked !== null &&
      asked.hostname !== shop.hostname &&
      asked.port === shop.port &&
      LOOPBACK.has(asked.hostname) &&
      LOOPBACK.has(shop.hostname);
    const isArriving = request.method === 'GET' && visitorOf(request) === undefined;
    if (isOtherName && isArriving && request.accepts(['json', 'html']) === 'html') {
      response.redirect(307, `${shop.origin}${request.originalUrl}`);
    } else {
      next();
    }
  };
}

/** A request that changes nothing. */
const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/**
 * A request by a person who opens a link, and not by a part of another site's page, such as a picture.
 * A GET that changes something needs that.
 */
export const isOpening = (request: Request): boolean =>
  request.get('Sec-Fetch-Dest') === 'document';

/**
 * Refuses what other sites' pages send, so that they cannot order for a shopper. Programs other than
 * browsers send neither header and pass.
 *
 * @param refuse - Answers a request that came from elsewhere.
 * @param isHarmless - What other sites may send. @defaultValue a GET or HEAD
 */
export function sameSiteOnly(
  publicUrl: string,
  refuse: RequestHandler,
  isHarmless: (request: Request) => boolean = isReading,
): RequestHandler {
  const shop = new URL(publicUrl).origin;
  return (request, response, next) => {
    const site = request.get('Sec-Fetch-Site');
    const origin = request.get('Origin') ?? shop;
    const isOwn = site === undefined ? origin === shop : site === 'same-origin' || site === 'none';
    if (isOwn || isHarmless(request)) return next();
    void refuse(request, response, next);
  };
}

/** Reports a failure to the shop's operator, without any shopper's data. */
export type Warn = (what: string, error: unknown) => void;

/** An error answer for a program (RFC 9457). */
export interface Problem {
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  readonly title: string;
  /** What to do about it, for people. */
  readonly detail?: string;
  /** The input at fault, as a JSON path. */
  readonly field?: string | undefined;
}

/** Answers with `application/problem+json`. */
export function sendProblem(response: Response, problem: Problem): void {
  response.status(problem.status).set('Cache-Control', 'no-store');
  response
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', ...problem }));
}

/** Answers every request with one problem. */
function always(problem: Problem): RequestHandler {
  return (_request, response) => sendProblem(response, problem);
}

/** Answers a request for a missing resource or another visitor's: both look the same. */
export const notFound = always({
  status: 404,
  code: 'not_found',
  title: 'Not found',
  detail: 'There is no such address, or it belongs to another visitor’s shop_session.',
});

/** Answers a changing request that another site's page sent. */
export const crossSite = always({
  status: 403,
  code: 'cross_site',
  title: 'Sent from another site',
  detail: 'Changing requests must come from the shop’s own pages.',
});

const notJson = always({
  status: 415,
  code: 'unsupported_media_type',
  title: 'Send JSON',
  detail: 'Set content-type to application/json.',
});

const parseJson = express.json({ limit: '16kb' });

/** Reads JSON and empty bodies, and refuses others: a form of another site cannot send JSON. */
export const readJson: RequestHandler = (request, response, next) => {
  const { headers } = request;
  const isEmpty =
    headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
  const isJson = request.is('application/json') === 'application/json';
  return (isEmpty || isJson ? parseJson : notJson)(request, response, next);
};

/**
 * Answers an unreadable body, and any other error without its details.
 *
 * @param known - The answer for errors that a part of the shop knows.
 */
export function apiErrors(
  warn: Warn,
  known: (error: unknown) => Problem | undefined = () => undefined,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    sendProblem(response, known(error) ?? problemOf(error));
    if (response.statusCode === 500) warn(`${request.method} ${request.baseUrl} failed`, error);
  };
}

function problemOf(error: unknown): Problem {
  const status = statusOf(error);
  if (status === 413) return { status, code: 'too_large', title: 'The body is larger than 16 KiB' };
  if (status < 500) return { status, code: 'unreadable', title: 'The body is not readable JSON' };
  return { status, code: 'failed', title: 'The shop failed; try again' };
}

/** The HTTP status that an error of Express or a body parser asks for, else 500. */
export function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

/** The two elements and the style that keeps their place, as the widget package ships them. */
export function payElements(): RequestHandler {
  const folder = new URL('.', import.meta.resolve('@pay-button/widget/dist/pay-button.js'));
  return express.static(fileURLToPath(folder), {
    index: false,
    redirect: false,
    setHeaders: (response) => void response.setHeader('Cache-Control', 'no-cache'),
  });
}

const PUBLIC = fileURLToPath(new URL('../public/', import.meta.url));
const SECURITY_TEXT = '/.well-known/security.txt';
const SECURITY_TEXT_DAYS = 180;

/**
 * The shop's own style, scripts and drawings, and `security.txt` (RFC 9116): where to report a weakness
 * of the shop. A shop that is made from this one puts its own contact there. The file must expire, and
 * a file on disk would expire unseen.
 */
export function ownFiles(publicUrl: string, now: () => number): Router {
  const router = Router();
  router.get('/favicon.ico', (_request, response) => response.sendFile(`${PUBLIC}favicon.svg`));
  router.get(SECURITY_TEXT, (_request, response) => {
    const lines = [
      'Contact: mailto:security@shop.example',
      `Expires: ${new Date(now() + SECURITY_TEXT_DAYS * DAY_MS).toISOString()}`,
      'Preferred-Languages: en, ar',
      `Canonical: ${new URL(SECURITY_TEXT, publicUrl).href}`,
    ];
    response.type('text/plain').send(`${lines.join('\n')}\n`);
  });
  router.use(express.static(PUBLIC, { index: false, redirect: false }));
  return router;
}
