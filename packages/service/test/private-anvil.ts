import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/lib/free-port.ts'

/** An anvil process of one test. `rpc` sends a call and throws on a JSON-RPC error. */
export type PrivateAnvil = {
  readonly rpcUrl: string
  readonly rpc: (method: string, ...params: readonly unknown[]) => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** The states of this many blocks are kept, in memory; anvil would write older ones to the home folder and leave them there. */
const KEPT_STATES = 72
const START_DEADLINE_MS = 60_000
const CALL_DEADLINE_MS = 60_000

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

/** Starts anvil on a free port; uses the one on PATH when the npm package's binary is missing. The caller stops it. */
export const startAnvil = async (chainId: number, ...args: readonly string[]): Promise<PrivateAnvil> => {
  const port = await freePort()
  const rpcUrl = `http://127.0.0.1:${port}`
  const bounds = args.includes('--prune-history') ? [] : ['--prune-history', `${KEPT_STATES}`]
  const options = ['--port', `${port}`, '--chain-id', `${chainId}`, '--quiet', ...bounds, ...args]
  const child = spawn(existsSync(installed) ? installed : 'anvil', options, { stdio: 'ignore' })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.on('error', () => undefined)
  const stop = async (): Promise<void> => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await exited
  }
  const rpc = callAt(rpcUrl)
  const deadline = performance.now() + START_DEADLINE_MS
  for (;;) {
    const isUp = await rpc('eth_chainId').then(
      () => true,
      () => false,
    )
    if (isUp) return { rpcUrl, rpc, stop }
    if (performance.now() > deadline || child.exitCode !== null || child.pid === undefined) {
      await stop()
      throw new Error(`anvil does not answer on port ${port}`)
    }
    await sleep(25)
  }
}
