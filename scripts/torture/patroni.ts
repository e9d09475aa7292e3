import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { debianProgram } from '../debian-programs.ts';
import { freePort, until } from '../process.ts';
import { Daemon, makeFolder, makeRunFolder, writeSettings } from './daemon.ts';

/** Three PostgreSQL servers of which one leads; HAProxy passes every connection to the leader. */
export interface PatroniCluster {
  readonly url: string;
  /**
   * Kills the leader as a dying machine would, waits for another leader, and starts the dead one
   * again as a standby.
   *
   * @throws when no other leader appears in time.
   */
  readonly killLeader: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** One server, with the Patroni that keeps it. */
interface Node {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  /** The port of Patroni's HTTP server, whose `/primary` answers 200 on the leader only. */
  readonly restPort: number;
  patroni: Daemon;
}

const NODES = ['one', 'two', 'three'] as const;
const PASSWORD = 'torture';
/** How long the standbys receive nothing before a leader dies that does not wait for them. */
const LAG_MS = 2_000;
const LOOPBACK = '127.0.0.1';

/**
 * Starts the cluster on free ports of 127.0.0.1, in a folder that it removes at the end.
 *
 * @param isSynchronous - Whether a commit waits until a standby has it. Otherwise the standbys lag
 * behind the leader when it is killed, so that commits are lost.
 */
export async function startPatroni(isSynchronous: boolean): Promise<PatroniCluster> {
  const folder = makeRunFolder('patroni');
  const etcdPort = await freePort();
  const daemons = [startEtcd(makeFolder(folder, 'etcd'), etcdPort, await freePort())];
  const nodes: Node[] = [];
  for (const name of NODES) {
    const ports = { port: await freePort(), restPort: await freePort() };
    const node = { name, folder: makeFolder(folder, name), ...ports };
    writeSettings(node.folder, 'patroni.json', settingsOf(node, etcdPort, isSynchronous));
    nodes.push({ ...node, patroni: startNode(node.folder) });
  }
  const port = await freePort();
  daemons.push(startHaproxy(makeFolder(folder, 'haproxy'), port, nodes));
  const everybodyFollows = () =>
    until('every server follows the leader', () => isComplete(nodes, isSynchronous));
  await everybodyFollows();
  return {
    url: `postgres://postgres:${PASSWORD}@${LOOPBACK}:${port}/postgres`,
    killLeader: async () => {
      const leader = await until('one server leads', () => leaderOf(nodes));
      if (!isSynchronous) await letStandbysLag(leader);
      await kill(leader);
      await until('another server leads', () => leaderOf(nodes));
      leader.patroni = startNode(leader.folder);
      await everybodyFollows();
    },
    stop: async () => {
      await Promise.all(nodes.map(({ patroni }) => patroni.end('SIGTERM')));
      await Promise.all(daemons.map((daemon) => daemon.end('SIGTERM')));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function startEtcd(folder: string, port: number, peerPort: number): Daemon {
  const [client, peer] = [`http://${LOOPBACK}:${port}`, `http://${LOOPBACK}:${peerPort}`];
  const parameters = {
    '--data-dir': join(folder, 'data'),
    '--listen-client-urls': client,
    '--advertise-client-urls': client,
    '--listen-peer-urls': peer,
    '--initial-advertise-peer-urls': peer,
    '--initial-cluster': `default=${peer}`,
  };
  return new Daemon(folder, 'etcd', Object.entries(parameters).flat());
}

const startNode = (folder: string): Daemon =>
  new Daemon(folder, 'patroni', [join(folder, 'patroni.json')]);

/** Patroni reads YAML, which JSON is. */
function settingsOf(
  { name, folder, port, restPort }: Omit<Node, 'patroni'>,
  etcdPort: number,
  isSynchronous: boolean,
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
        synchronous_mode: isSynchronous,
        synchronous_mode_strict: isSynchronous,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: join(folder, 'data'),
      bin_dir: dirname(debianProgram('postgres')),
      pgpass: join(folder, 'pgpass'),
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

/** Whether one server leads and the others follow; one of them in step, where commits wait for it. */
async function isComplete(nodes: readonly Node[], isSynchronous: boolean): Promise<boolean> {
  const leader = await leaderOf(nodes);
  if (leader === undefined) return false;
  const count = async (path: string): Promise<number> => {
    const found = await Promise.all(nodes.map((node) => answers(node, path)));
    return found.filter(Boolean).length;
  };
  if ((await count('/replica')) < nodes.length - 1) return false;
  return !isSynchronous || (await count('/synchronous')) > 0;
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
async function kill({ patroni, folder }: Node): Promise<void> {
  const server = serverOf(folder);
  await patroni.end('SIGKILL');
  for (const pid of [server, ...childrenOf(server)]) send(pid, 'SIGKILL');
}

/** Stops the leader's senders, so that its last commits reach no standby. */
async function letStandbysLag({ folder }: Node): Promise<void> {
  for (const pid of childrenOf(serverOf(folder))) {
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('walsender')) send(pid, 'SIGSTOP');
  }
  await setTimeout(LAG_MS);
}

const serverOf = (folder: string): number =>
  Number.parseInt(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8'), 10);

function childrenOf(parent: number): readonly number[] {
  const list = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return list.split(' ').filter(Boolean).map(Number);
}

function send(pid: number, name: 'SIGKILL' | 'SIGSTOP'): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended already.
  }
}
