import type { Socket } from 'node:net';
import type { GatewayClient, GatewayClientOptions } from '../src/index.ts';
import { callOf, clientOf } from './gateway-calls.ts';
import { inputs } from './operation-inputs.ts';
import { httpAnswer, RawServer } from './raw-server.ts';

/** A gateway that writes the same to each request, and a client of it. */
export class WiredGateway {
  client!: GatewayClient;
  /** What each request gets that is no login: bytes, or something done to its connection. */
  wire: string | Buffer | ((socket: Socket, count: number) => unknown) = httpAnswer('400 No', '{}');
  /** What a login gets. */
  login: Buffer = httpAnswer('200 OK', JSON.stringify({ accessToken: 'portal-token' }));
  readonly server = new RawServer({
    onRequest: (socket, count, request) => {
      const wire = isLogin(request) ? this.login : this.wire;
      if (typeof wire === 'function') wire(socket, count);
      else socket.write(wire);
    },
  });

  static async start(options: Partial<GatewayClientOptions> = {}): Promise<WiredGateway> {
    const wired = new WiredGateway();
    await wired.server.start();
    wired.client = clientOf(wired.server.origin, options);
    return wired;
  }

  /** Writes this answer to each request from now on. @returns its body. */
  answer(status: string, body: unknown, headers: Record<string, string> = {}): string {
    const bytes = Buffer.isBuffer(body) ? body : textOf(body);
    this.wire = httpAnswer(status, bytes, headers);
    return String(bytes);
  }

  /** Calls an operation with an input that it accepts, and this one's changes. */
  call(operation: string, changes?: object): Promise<unknown> {
    const input = inputs[operation];
    return callOf(this.client, operation, changes ? { ...(input as object), ...changes } : input);
  }

  /** The requests that are no login. */
  get sent(): readonly string[] {
    return this.server.requests.filter((request) => !isLogin(request));
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.server.close();
  }
}

const isLogin = (request: string): boolean => request.includes('/auth/login');

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));
