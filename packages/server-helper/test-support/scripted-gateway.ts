import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the scripted gateway saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** Answers one request by hand, faults included. */
export type Script = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** An answer, or none. */
export type GivenAnswer = readonly [status: number, body: unknown] | 'hang up';

/** A status row with the stated fields (§2.2), changed as the test wants. */
export function statusRow(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    transactionId: 'f2d5b7c0-0000-4000-8000-000000000001',
    amount: '115.00',
    transactionStatus: 'SUCCESS',
    paymentStatus: 'APPROVED',
    refundStatus: 'NONE',
    totalRefundAmount: '0.00',
    pan: '420132******1010',
    cardScheme: 'MADA',
    ...changes,
  };
}

/** Envelope A around the data of a success (§4). */
export const inA = <Data>(data: Data) => ({ code: 200, message: 'Success', errorCode: null, data });

/** Envelope A around status rows (§4.2). */
export const statusAnswer = (rows: readonly unknown[]) =>
  inA({ content: rows, totalElements: rows.length });

/** Sends JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/**
 * A real HTTP server that answers as its script says; by itself it makes links and has no
 * transactions. It speaks the gateway's wire format and shares no code with the client.
 */
export class ScriptedGateway {
  readonly seen: SeenRequest[] = [];
  /** Rows of the status answer, by session id. */
  readonly rows = new Map<string, readonly unknown[]>();
  /** Takes the place of the usual answer while it is set. */
  script: Script | undefined;
  /** Where its hosted pages are said to be. @defaultValue its own origin */
  pageOrigin: string | undefined;
  #sessions = 0;
  #logins = 0;
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  /** Requests of one path, such as `/payment/checkout/status`. */
  requestsTo(path: string): readonly SeenRequest[] {
    return this.seen.filter((request) => request.path === `/v1${path}`);
  }

  get creates(): readonly SeenRequest[] {
    return this.requestsTo('/payment/checkout/intiate');
  }

  get statusCalls(): readonly SeenRequest[] {
    return this.requestsTo('/payment/checkout/status');
  }

  get logins(): readonly SeenRequest[] {
    return this.requestsTo('/auth/login');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://gateway.invalid');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    this.seen.push(seen);
    if (this.script === undefined) this.answerUsually(seen, response);
    else await this.script(seen, response);
  }

  /** Answers requests to paths with an end, such as `/refund`, so, and other requests as until now. */
  answerAt(end: string, answer: Script): void {
    const usual = this.script ?? this.answerUsually.bind(this);
    this.script = (request, response) =>
      (request.path.endsWith(end) ? answer : usual)(request, response);
  }

  /** Answers so where a path ends so, and as usual elsewhere. */
  answer(answers: Readonly<Record<string, GivenAnswer>>): void {
    this.script = (request, response) => {
      const [, found] = Object.entries(answers).find(([end]) => request.path.endsWith(end)) ?? [];
      if (found === undefined) this.answerUsually(request, response);
      else if (found === 'hang up') response.destroy();
      else sendJson(response, ...found);
    };
  }

  /** Answers each request but a login so. */
  answerEach(answer: () => GivenAnswer): void {
    this.script = (_request, response) => {
      const given = answer();
      return given === 'hang up' ? void response.destroy() : sendJson(response, ...given);
    };
    this.answerAt('/auth/login', (request, response) => this.answerUsually(request, response));
  }

  /** Takes on each refund, and answers with its amount or another one. */
  takeRefunds(other?: string): void {
    const taken = { result: 'accepted', refundId: 'r-9', referenceId: 'r', paymentId: '1' };
    this.answerAt('/refund', ({ body }, response) => {
      const amount = other ?? (body as { amount: number }).amount.toFixed(2);
      sendJson(response, 200, inA({ ...taken, message: 'ok', amount }));
    });
  }

  /** Takes on each capture. */
  takeCaptures(): void {
    const taken = { result: 'ACCEPTED', action: 'CAPTURE', rrn: '1', order_id: 'x', trans_id: '1' };
    const answer = inA({ ...taken, card_brand: 'MADA', decline_reason: null });
    this.answerAt('/capture', (_request, response) => sendJson(response, 200, answer));
  }

  /** Answers each question about a status so, but those about ids that `isKnown`, and other requests as usual. */
  answerStatus(
    status: number,
    body: unknown = {},
    isKnown = (_id: string): boolean => false,
  ): void {
    this.script = (request, response) =>
      request.path.endsWith('/status') && !isKnown(request.query.get('id') ?? '')
        ? sendJson(response, status, body)
        : this.answerUsually(request, response);
  }

  /** The usual answer, for scripts that fault only some requests. */
  answerUsually(request: SeenRequest, response: ServerResponse): void {
    if (request.path.endsWith('/intiate')) {
      this.#sessions += 1;
      const id = `5e551040-0000-4000-8000-${String(this.#sessions).padStart(12, '0')}`;
      const redirectUrl = `${this.pageOrigin ?? this.origin}/checkout?sessionId=${id}`;
      sendJson(response, 201, { id, redirectUrl });
      return;
    }
    if (request.path.endsWith('/auth/login')) {
      this.#logins += 1;
      const accessToken = `portal-token-${this.#logins}`;
      const refreshToken = 'a-refresh-token';
      sendJson(response, 200, { accessToken, tokenType: 'Bearer', expiresIn: 3_600, refreshToken });
      return;
    }
    const id = request.query.get('id') ?? '';
    sendJson(response, 200, statusAnswer(this.rows.get(id) ?? []));
  }
}
