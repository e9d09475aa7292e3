import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debianProgram } from '../debian-programs.ts';
import { freePort, until } from '../process.ts';
import { Daemon, makeFolder, writeSettings } from './daemon.ts';

interface Node {
  readonly name: string;
  readonly data: string;
  readonly port: number;
  /** The port of Patroni's HTTP server, whose `/primary` answers 200 on the leader only. */
  readonly restPort: number;
  readonly start: () => Daemon;
  patroni: Daemon;
}

const PASSWORD = 'torture';
const LOOPBACK = '127.0.0.1';

/**
 * Starts three PostgreSQL servers of which one leads, on free ports of 127.0.0.1, in a folder that
 * is removed at the end. A commit waits until a standby has it; HAProxy passes every connection to the
 * leader.
 */
export async function startPatroni() {
  const folder = makeFolder('patroni');
  const etcdPort = await freePort();
  const client = `http://${LOOPBACK}:${etcdPort}`;
  const peer = `http://${LOOPBACK}:${await freePort()}`;
  const ofEtcd = {
    '--data-dir': join(folder, 'etcd'),
    '--listen-client-urls': client,
    '--advertise-client-urls': client,
    '--listen-peer-urls': peer,
    '--initial-advertise-peer-urls': peer,
    '--initial-cluster': `default=${peer}`,
  };
  const daemons = [new Daemon(folder, 'etcd', Object.entries(ofEtcd).flat())];
  const nodes: Node[] = [];
  for (const name of ['one', 'two', 'three']) {
    const ports = { port: await freePort(), restPort: await freePort() };
    const node = { name, data: join(folder, name), ...ports };
    const file = writeSettings(folder, `${name}.json`, settingsOf(node, etcdPort));
    const start = () => new Daemon(folder, 'patroni', [file]);
    nodes.push({ ...node, start, patroni: start() });
  }
  const port = await freePort();
  daemons.push(startHaproxy(folder, port, nodes));
  const everybodyFollows = () => until('every server follows the leader', () => isComplete(nodes));
  await everybodyFollows();
  return {
    url: `postgres://postgres:${PASSWORD}@${LOOPBACK}:${port}/postgres`,
    /**
     * Kills the leader as a dying machine would, waits for another leader, and starts the dead one
     * again as a standby.
     */
    killAndRestart: async () => {
      const leader = await until('one server leads', () => leaderOf(nodes));
      await kill(leader);
      await until('another server leads', () => leaderOf(nodes));
      leader.patroni = leader.start();
      await everybodyFollows();
    },
    stop: async () => {
      await Promise.all(nodes.map(({ patroni }) => patroni.end('SIGTERM')));
      await Promise.all(daemons.map((daemon) => daemon.end('SIGTERM')));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Patroni reads YAML, which JSON is. */
function settingsOf(
  { name, data, port, restPort }: Omit<Node, 'start' | 'patroni'>,
  etcdPort: number,
): string {
  const restAddress = `${LOOPBACK}:${restPort}`;
  const address = `${LOOPBACK}:${port}`;
  const account = (username: string) => ({ username, password: PASSWORD });
  return JSON.stringify({
    scope: 'torture',
    name,
    restapi: { listen: restAddress, connect_address: restAddress },
    etcd3: { host: `${LOOPBACK}:${etcdPort}` },
    bootstrap: {
      dcs: {
        // The shortest that Patroni takes: the others wait so long for a leader that is silent.
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: data,
      bin_dir: dirname(debianProgram('postgres')),
      pgpass: `${data}.pgpass`,
      authentication: { superuser: account('postgres'), replication: account('replicator') },
      // The data are removed at the end, and no machine loses its power.
      parameters: { unix_socket_directories: '', fsync: 'off', lc_messages: 'C' },
      pg_hba: ['all', 'replication'].map(
        (which) => `host ${which} all ${LOOPBACK}/32 scram-sha-256`,
      ),
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  });
}

function startHaproxy(folder: string, port: number, nodes: readonly Node[]): Daemon {
  const servers = nodes.map(
    (node) => `server ${node.name} ${LOOPBACK}:${node.port} check port ${node.restPort}`,
  );
  const settings = `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen leader
  bind ${LOOPBACK}:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
  ${servers.join('\n  ')}
`;
  const file = writeSettings(folder, 'haproxy.cfg', settings);
  return new Daemon(folder, 'haproxy', ['-db', '-f', file]);
}

async function leaderOf(nodes: readonly Node[]): Promise<Node | undefined> {
  for (const node of nodes) if (await answers(node, '/primary')) return node;
  return undefined;
}

/** Whether one server leads and the others follow, one of them in step: commits wait for that. */
async function isComplete(nodes: readonly Node[]): Promise<boolean> {
  const leader = await leaderOf(nodes);
  if (leader === undefined) return false;
  const count = async (path: string): Promise<number> => {
    const found = await Promise.all(nodes.map((node) => answers(node, path)));
    return found.filter(Boolean).length;
  };
  return (await count('/replica')) >= nodes.length - 1 && (await count('/synchronous')) > 0;
}

async function answers({ restPort }: Node, path: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2_000);
    return (await fetch(`http://${LOOPBACK}:${restPort}${path}`, { signal })).ok;
  } catch {
    return false;
  }
}

/** Patroni dies first, so that it does not start its server again. */
async function kill({ patroni, data }: Node): Promise<void> {
  const server = Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10);
  await patroni.end('SIGKILL');
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8');
  for (const pid of [server, ...children.split(' ').filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended already.
    }
  }
}
