import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianProgram } from '../../../scripts/debian-programs.ts';
import { startProgram } from '../../../scripts/process.ts';
import type { PathProxy, PathProxyOptions } from './path-proxy.ts';

/**
 * Starts Debian's nginx as a proxy in front of a shop.
 *
 * @throws where nginx is missing or does not start.
 */
export async function startNginx(options: PathProxyOptions): Promise<PathProxy> {
  const program = debianProgram('nginx');
  const folder = mkdtempSync(join(tmpdir(), 'pay-nginx-'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, options));
  // A notice, written once nginx listens and has its workers.
  const place = { cwd: folder, program, sign: /start worker process / };
  const { stop } = await startProgram(['-p', folder, '-e', 'stderr', '-c', file], place);
  return {
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The lines of docs/paths-and-origins.md, with what nginx needs to run without an installation. */
function configuration(folder: string, options: PathProxyOptions): string {
  const { port, target, from, strips, isSilentElsewhere = false } = options;
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  return `daemon off; pid ${folder}/pid; error_log stderr notice; events {}
    http { access_log off; ${places.join(' ')}
      server {
        listen 127.0.0.1:${port};
        location ${from} { proxy_pass http://127.0.0.1:${target}${strips ? '/' : ''}; }
        ${isSilentElsewhere ? 'location / { return 444; }' : ''}
      }
    }`;
}
