import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const START_DEADLINE_MS = 60_000
const STOP_DEADLINE_MS = 60_000

/** A PostgreSQL server of one test run; `url` reaches it over a socket in a folder that `stop` removes. */
export type PrivatePostgres = {
  readonly url: string
  /** Kills the server and restarts it on the same files. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** The folder that holds both `initdb` and `postgres`, or undefined when PostgreSQL is not installed. */
export const postgresBinaries = (): string | undefined => {
  const onPath = (process.env['PATH'] ?? '').split(delimiter)
  const packaged = globSync('/usr/lib/postgresql/*/bin').sort().reverse()
  return [...packaged, ...onPath].find((directory) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(directory, name))),
  )
}

type User = { readonly uid: number; readonly gid: number }

/** PostgreSQL refuses to run as root, so it runs with another user's ids. */
const serverUser = (): User | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('started as root, and there is no user postgres or nobody to run PostgreSQL as')
}

const run = async (command: string, args: readonly string[], user: User | undefined): Promise<void> => {
  const child = spawn(command, args, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const [code] = await once(child, 'close', { signal: AbortSignal.timeout(START_DEADLINE_MS) })
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${complaints}`)
}

const ready = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(
      () => reject(new Error(`postgres was not ready in time: ${said}`)),
      START_DEADLINE_MS,
    )
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      act()
    }
    server.stderr?.on('data', (chunk) => {
      said = (said + chunk).slice(-10_000)
      if (said.includes('ready to accept connections')) settle(resolve)
    })
    server.once('exit', (code) => settle(() => reject(new Error(`postgres ended with ${code}: ${said}`))))
  })

const quit = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit', { signal: AbortSignal.timeout(STOP_DEADLINE_MS) })
  server.kill('SIGQUIT')
  await exited
}

/** Starts a fresh PostgreSQL server in a temporary folder. Throws Error when `binaries` cannot be run. */
export const startPrivatePostgres = async (binaries: string): Promise<PrivatePostgres> => {
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-postgres-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const files = join(folder, 'data')
  const start = async (): Promise<ChildProcess> => {
    const settings = ['listen_addresses=', 'fsync=off', 'max_connections=50']
    const args = ['-D', files, '-k', folder, ...settings.flatMap((setting) => ['-c', setting])]
    const child = spawn(join(binaries, 'postgres'), args, {
      ...user,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await ready(child)
    return child
  }
  const setUp = ['-D', files, '-U', 'openrfq', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions']
  await run(join(binaries, 'initdb'), setUp, user)
  let server = await start()
  const kill = (): void => {
    server.kill('SIGQUIT')
  }
  process.once('exit', kill)
  return {
    url: `postgres://openrfq@localhost/postgres?host=${encodeURIComponent(folder)}`,
    restart: async () => {
      await quit(server)
      server = await start()
    },
    stop: async () => {
      process.removeListener('exit', kill)
      await quit(server)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
