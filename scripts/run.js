// Starts a program of the repository on the pinned Node with the condition that resolves packages to their sources.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const service = 'packages/service/src'

const PROGRAMS = {
  start: [process.env.RFQ_CONFIG ? `${service}/main.ts` : 'packages/sandbox/src/main.ts'],
  rfq: [`${service}/cli/rfq.ts`],
  test: ['test/run.ts'],
  bench: ['bench/pools.ts', 'bench/run.ts'],
  openapi: [`${service}/http/openapi-write.ts`],
  snapshot: ['packages/sandbox/src/build-snapshot.ts'],
  artifacts: ['packages/contracts/build.ts'],
}

const run = (program, words) =>
  new Promise((resolve) => {
    const options = [process.env.NODE_OPTIONS, '--conditions=openrfq-source'].filter(Boolean).join(' ')
    const child = spawn(process.execPath, [join(root, program), ...words], {
      stdio: 'inherit',
      env: { ...process.env, NODE_OPTIONS: options },
    })
    const forward = (signal) => child.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward)
    child.once('exit', (code, signal) => resolve(signal === null ? code : 1))
  })

const [name, ...words] = process.argv.slice(2)
const programs = PROGRAMS[name]
if (programs === undefined) {
  console.error(`no program "${name}": expected one of ${Object.keys(PROGRAMS).join(', ')}`)
  process.exit(1)
}
for (const program of programs) {
  const code = await run(program, words)
  if (code !== 0) process.exit(code)
}
