import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const STARTER = join(import.meta.dirname, '../../../scripts/run.cjs')

test('npm start says in one line that the port is taken, and starts no chain', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'openrfq-start-'))
  const holder = createServer()
  await once(holder.listen(0, '127.0.0.1'), 'listening')
  context.after(() => {
    holder.close()
    rmSync(folder, { recursive: true })
  })
  // CAST: a listening TCP server has an address.
  const { port } = holder.address() as AddressInfo
  const { RFQ_CONFIG: _, ...environment } = process.env
  const env = { ...environment, DATA_DIR: join(folder, 'data'), PORT: String(port) }
  const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, [STARTER, 'start'], { env, timeout: 120_000 }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    )
  })
  assert.deepEqual(ended, {
    code: 1,
    stderr: `OpenRFQ cannot start: Port ${port} on 127.0.0.1 is taken. Stop the other process, or set PORT.\n`,
  })
})
