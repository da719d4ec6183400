import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { installTools } from '../tools/cruise.ts'
import { checkLicences } from '../tools/licences.ts'

const ROOT = join(import.meta.dirname, '..')
const TOOLS = join(ROOT, 'tools/description')
const FEWEST_PACKAGES = 300
const DEADLINE_MS = 300_000

let folder = ''
before(() => {
  installTools(TOOLS)
  folder = mkdtempSync(join(TOOLS, 'generated-'))
  copyFileSync(join(ROOT, 'openapi.json'), join(folder, 'openapi.json'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program of the tools in the folder of the generated clients. Rejects with all it printed when it fails. */
const run = async (program: string, ...words: readonly string[]): Promise<string> => {
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...env } = process.env
  const path = join(TOOLS, 'node_modules/.bin', program)
  const options = { cwd: folder, env, timeout: DEADLINE_MS, maxBuffer: 16 * 1024 * 1024 }
  try {
    return (await promisify(execFile)(process.execPath, [path, ...words], options)).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error)
    throw new Error(`${program} ${words.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error })
  }
}

/** What a program does with any of the clients: it tells payloads and backends apart, and reads a status. */
const readsAnswers = (quote: string, status: string): string => `
const textOf = ({ payload }: Action): string => {
  switch (payload.type) {
    case 'evm_transaction':
      return payload.data
    case 'solana_instructions':
      return payload.instructions.map(({ programId }) => programId).join()
    case 'deposit_address':
      return payload.address
  }
}
const body: QuoteRequest = JSON.parse(process.argv[3] ?? '')
${quote}
if (quote?.backend.type === 'intent') console.log(quote.backend.tracking.swapId, quote.backend.metadata.solver?.name)
console.log(quote?.output.minimumAmount, quote?.actions.map(textOf))
const quoteId = quote?.quoteId ?? ''
${status}
const { state, refund, backend }: Status = status
const now: StatusState = state
console.log(now, refund?.amount, backend?.type)
`

type Generator = {
  readonly name: string
  readonly command: readonly [program: string, ...words: string[]]
  readonly program: string
}

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    command: ['openapi-typescript', 'openapi.json', '--output', 'openapi-typescript.d.ts'],
    program: `import createClient from 'openapi-fetch'
import type { components, paths } from './openapi-typescript.js'
type Action = components['schemas']['Action']
type QuoteRequest = components['schemas']['QuoteRequest']
type Status = components['schemas']['Status']
type StatusState = components['schemas']['StatusState']
const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' })
${readsAnswers(
  `const answer = await client.POST('/v1/rfq/quote', { body })
if (answer.error !== undefined) throw new Error(answer.error.error.code)
const [quote] = answer.data.quotes`,
  `const found = await client.GET('/v1/rfq/status', { params: { query: { quoteId } } })
if (found.error !== undefined) throw new Error(found.error.error.message)
const status = found.data`,
)}`,
  },
  {
    name: 'openapi-ts',
    command: [
      'openapi-ts',
      '--input',
      './openapi.json',
      '--output',
      './openapi-ts',
      '--client',
      '@hey-api/client-fetch',
    ],
    program: `import { client } from './openapi-ts/client.gen'
import { getStatus, requestQuotes } from './openapi-ts/sdk.gen'
import type { Action, QuoteRequest, Status, StatusState } from './openapi-ts/types.gen'
client.setConfig({ baseUrl: process.argv[2] ?? '' })
${readsAnswers(
  `const answer = await requestQuotes({ body })
if (answer.error !== undefined) throw new Error(answer.error.error.code)
const [quote] = answer.data.quotes`,
  `const { data: status } = await getStatus({ query: { quoteId }, throwOnError: true })`,
)}`,
  },
  {
    name: 'swagger-typescript-api',
    command: [
      'swagger-typescript-api',
      'generate',
      '--path',
      'openapi.json',
      '--output',
      './swagger',
      '--name',
      'api.ts',
    ],
    program: `import { type Action, Api, type QuoteRequest, type Status, type StatusState } from './swagger/api'
const api = new Api({ baseUrl: process.argv[2] ?? '' })
${readsAnswers(
  `const [quote] = (await api.v1.requestQuotes(body)).data.quotes`,
  `const status = (await api.v1.getStatus({ quoteId })).data`,
)}`,
  },
]

const STRICT = [
  ...['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', '--types', 'node'],
  ...[
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2023,dom,dom.iterable',
  ],
]

test('Spectral has nothing to say about openapi.json', async () => {
  const printed = await run(
    'spectral',
    'lint',
    'openapi.json',
    '--ruleset',
    '../spectral.yaml',
    '--fail-severity',
    'hint',
  )
  assert.match(printed, /^No results with a severity of 'hint' or higher found!$/m)
})

for (const { name, command, program } of GENERATORS)
  test(`a program over the client that ${name} generates passes the type check`, async () => {
    const [generator, ...words] = command
    await run(generator, ...words)
    writeFileSync(join(folder, `${name}-program.ts`), program)
    await run('tsc', ...STRICT, `${name}-program.ts`)
    const wrong = program.replace("'deposit_address'", "'deposit_adress'")
    assert.notEqual(wrong, program)
    writeFileSync(join(folder, `${name}-wrong.ts`), wrong)
    await assert.rejects(run('tsc', ...STRICT, `${name}-wrong.ts`), /deposit_adress/)
  })

test('the tools have licences that the project may use', () => {
  const { read, problems } = checkLicences(TOOLS)
  assert.ok(read >= FEWEST_PACKAGES, `read only ${read} packages`)
  assert.deepEqual(problems, [])
})
