import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startAnvil } from './anvil.ts'
import { postRpc } from './rpc-call.ts'

const answers = (rpcUrl: string): Promise<boolean> =>
  postRpc(rpcUrl, 'eth_chainId', []).then(
    () => true,
    () => false,
  )

const endsWithin = async (rpcUrl: string, timeoutMs: number): Promise<boolean> => {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 50) {
    if (!(await answers(rpcUrl))) return true
    await delay(50)
  }
  return false
}

test('anvil answers after start, and its process is gone after stop', async () => {
  const anvil = await startAnvil(31_337, [])
  assert.equal(await postRpc(anvil.rpcUrl, 'eth_chainId', []), '0x7a69')
  await anvil.stop()
  assert.equal(await answers(anvil.rpcUrl), false)
  await anvil.stop()
})

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

test('stop ends anvil even when the watchdog was killed', async () => {
  const anvil = await startAnvil(31_337, [])
  const processes = childrenOf(process.pid).flatMap(childrenOf)
  const watcher = processes.find((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'anvil')
  assert.ok(watcher)
  process.kill(watcher, 'SIGKILL')
  await anvil.stop()
  assert.equal(await endsWithin(anvil.rpcUrl, 30_000), true)
})

test("an unknown argument is reported with anvil's own message", async () => {
  await assert.rejects(startAnvil(31_337, ['--no-such-argument']), /no-such-argument/)
})

test('anvil ends when its parent is killed with -9', async () => {
  const program = `
    import { startAnvil } from ${JSON.stringify(join(import.meta.dirname, 'anvil.ts'))}
    console.log((await startAnvil(31337, [])).rpcUrl)
  `
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const rpcUrl = await new Promise<string>((resolve) => {
    parent.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
  })
  assert.equal(await answers(rpcUrl), true)
  parent.kill('SIGKILL')
  assert.ok(await endsWithin(rpcUrl, 30_000))
})
