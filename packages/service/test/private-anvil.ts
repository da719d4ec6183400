import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** An anvil process of one test. `rpc` sends a call and throws on a JSON-RPC error. */
export type PrivateAnvil = {
  readonly rpcUrl: string
  readonly rpc: (method: string, ...params: readonly unknown[]) => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** The states of this many blocks are kept, in memory; anvil would write older ones to the home folder and leave them there. */
const KEPT_STATES = 72
const CALL_DEADLINE_MS = 120_000

const installed = join(import.meta.dirname, '../../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil')

const callAt =
  (rpcUrl: string) =>
  async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(CALL_DEADLINE_MS),
    })
    const answer: unknown = await response.json()
    if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result
    throw new Error(`${method} failed: ${JSON.stringify(answer)}`)
  }

/** Resolves with the address that anvil says it listens on. Rejects when it ends before. */
const listening = (child: ChildProcessByStdio<null, Readable, null>): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${said}`)))
    child.stdout.on('data', (chunk) => {
      said += chunk
      const address = /Listening on (127\.0\.0\.1:\d+)\s/.exec(said)?.[1]
      if (address === undefined) return
      child.stdout.removeAllListeners('data').resume()
      resolve(`http://${address}`)
    })
  })

/**
 * Starts anvil on a port that the system chooses; uses the one on PATH when the npm package's binary is missing. The caller stops it.
 */
export const startAnvil = async (chainId: number, ...args: readonly string[]): Promise<PrivateAnvil> => {
  const bounds = args.includes('--prune-history') ? [] : ['--prune-history', `${KEPT_STATES}`]
  const options = ['--port', '0', '--chain-id', `${chainId}`, ...bounds, ...args]
  const child = spawn(existsSync(installed) ? installed : 'anvil', options, {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const rpcUrl = await listening(child)
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await exited
  }
  return { rpcUrl, rpc: callAt(rpcUrl), stop }
}
