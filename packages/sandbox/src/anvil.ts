import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { postRpc } from './rpc-call.ts'

/** A running anvil: its JSON-RPC URL, and `stop`, which resolves when the process has ended. */
export type Anvil = { readonly rpcUrl: string; readonly stop: () => Promise<void> }

const READY_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 1000
const MAX_BANNER_CHARACTERS = 64_000

/**
 * Keeps the states of 72 blocks in memory, so that 64 can be reorganised; older states would be written to the home
 * folder.
 */
const BOUNDS = ['--prune-history', '72', '--transaction-block-keeper', '20000']

/**
 * Runs "$@" until it ends or standard input closes. Standard input closes when the parent dies, even by kill -9. `read`
 * waits in a subshell; file descriptor 3 keeps the pipe open, because `&` detaches standard input.
 */
const WATCHDOG = `
exec 3<&0
"$@" 3<&- </dev/null &
child=$!
(read -r line <&3; kill -9 $child 2>/dev/null) >/dev/null 2>&1 &
watcher=$!
wait $child
code=$?
kill $watcher 2>/dev/null
exit $code
`

const require = createRequire(import.meta.url)

const packagedBinary = (): string | undefined => {
  try {
    return join(dirname(require.resolve('@foundry-rs/anvil-linux-amd64/package.json')), 'bin', 'anvil')
  } catch {
    return undefined
  }
}

const NO_BINARY =
  'the sandbox needs anvil 1.7.1: `npm ci` brings it on Linux x64; elsewhere install Foundry and put anvil on PATH'

const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`anvil did not listen within ${READY_TIMEOUT_MS} ms`)),
      READY_TIMEOUT_MS,
    )
    let banner = ''
    let complaint = ''
    child.stderr?.on('data', (chunk) => {
      complaint = `${complaint}${chunk}`.slice(-MAX_BANNER_CHARACTERS)
    })
    child.stdout?.on('data', (chunk) => {
      banner = `${banner}${chunk}`.slice(-MAX_BANNER_CHARACTERS)
      const address = /Listening on (127\.0\.0\.1:[0-9]+)\s/.exec(banner)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      child.stdout?.removeAllListeners('data').resume()
      child.stderr?.removeAllListeners('data').resume()
      resolve(`http://${address}`)
    })
    child.once('error', (cause) => reject(new Error('cannot run anvil', { cause })))
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(code === 127 ? NO_BINARY : `anvil ended with code ${code}: ${complaint.trim()}`))
    })
  })

/** Kills the process group of the shell and anvil. */
const killGroup = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

const stopper = (child: ChildProcess) => async (): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => killGroup(child), STOP_TIMEOUT_MS)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    child.stdin?.end()
  })
}

/**
 * Starts anvil with additional arguments on a free port of 127.0.0.1; it ends with this process. Each transaction is
 * mined immediately; empty blocks are not. Throws when the binary is missing, when it exits early, or when it does not
 * listen in time.
 */
export const startAnvil = async (chainNumber: number, extra: readonly string[]): Promise<Anvil> => {
  const fixed = ['--host', '127.0.0.1', '--port', '0', '--chain-id', `${chainNumber}`, ...BOUNDS]
  const child = spawn(
    'sh',
    ['-c', WATCHDOG, 'anvil-watchdog', packagedBinary() ?? 'anvil', ...fixed, ...extra],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    },
  )
  child.stdin?.on('error', () => undefined)
  const stop = stopper(child)
  try {
    const rpcUrl = await listening(child)
    await postRpc(rpcUrl, 'anvil_setLoggingEnabled', [false])
    return { rpcUrl, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}
