import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A proxy in front of a shop. */
export interface PathProxy {
  close(): Promise<void>;
}

/** What a proxy passes on: addresses below `from`, which it takes off or leaves. */
export interface PathProxyOptions {
  readonly port: number;
  readonly target: number;
  readonly from: string;
  readonly strips: boolean;
  /** Whether other addresses get no answer, in place of a 404. */
  readonly isSilentElsewhere?: boolean;
}

const NGINX = '/usr/sbin/nginx';

/** A port that nothing listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts nginx where it is installed, else a proxy of Node's that does the same. */
export function startPathProxy(options: PathProxyOptions): Promise<PathProxy> {
  return existsSync(NGINX) ? startNginx(options) : startNodeProxy(options);
}

/** The lines of docs/paths-and-origins.md, with what nginx needs to run without an installation. */
function nginxConfig(folder: string, options: PathProxyOptions): string {
  const { port, target, from, strips, isSilentElsewhere = false } = options;
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  return `daemon off; pid ${folder}/pid; error_log ${folder}/errors; events {}
    http { access_log off; ${places.join(' ')}
      server {
        listen 127.0.0.1:${port};
        location ${from} { proxy_pass http://127.0.0.1:${target}${strips ? '/' : ''}; }
        ${isSilentElsewhere ? 'location / { return 444; }' : ''}
      }
    }`;
}

async function startNginx(options: PathProxyOptions): Promise<PathProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'pay-nginx-'));
  writeFileSync(join(folder, 'nginx.conf'), nginxConfig(folder, options));
  const child = spawn(
    NGINX,
    ['-p', folder, '-e', join(folder, 'errors'), '-c', join(folder, 'nginx.conf')],
    {
      stdio: 'ignore',
    },
  );
  const ended = once(child, 'exit');
  while (!(await listens(options.port))) {
    if (child.exitCode !== null) throw new Error('nginx did not start.');
  }
  return {
    async close() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  } finally {
    socket.destroy();
  }
}

async function startNodeProxy(options: PathProxyOptions): Promise<PathProxy> {
  const { port, target, from, strips } = options;
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (!url.startsWith(from)) {
      if (options.isSilentElsewhere === true) outgoing.destroy();
      else outgoing.writeHead(404).end('<h1>404</h1>');
      return;
    }
    const path = strips ? `/${url.slice(from.length)}` : url;
    const passed = httpRequest({ host: '127.0.0.1', port: target, method, headers, path });
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
