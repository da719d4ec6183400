import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { USERS } from '@openrfq/sandbox/src/keys.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  chainClients,
  fetchUndocumented,
  follow,
  type SandboxDescription,
  sendAction,
  type WireQuote,
  type WireStatus,
} from 'openrfq/test/wallet.ts'
import { concatHex, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { CHAINS, temporaryDirectory, type WireToken } from './sandbox-service.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

/**
 * Follows docs/adding-a-backend.md: a copy of the service gets the folder of docs/toy-backend and its line in the table
 * of backends, and nothing else.
 */
const ROOT = join(import.meta.dirname, '..')
const SERVICE = 'packages/service'
const TABLE = `${SERVICE}/src/backends/index.ts`
const IMPORT = "import { toy } from './toy/index.ts'\n"

const [SENDER, RECIPIENT, BRIDGE] = USERS
assert.ok(SENDER && RECIPIENT && BRIDGE)

/** Copies the service without its tests; the copy resolves this repository's packages. */
const copyService = (to: string): void => {
  mkdirSync(join(to, SERVICE), { recursive: true })
  cpSync(join(ROOT, SERVICE, 'src'), join(to, SERVICE, 'src'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  })
  for (const file of ['package.json', 'tsconfig.json', `${SERVICE}/package.json`])
    cpSync(join(ROOT, file), join(to, file))
  for (const modules of ['node_modules', `${SERVICE}/node_modules`])
    if (existsSync(join(ROOT, modules))) symlinkSync(join(ROOT, modules), join(to, modules))
}

/** Adds one folder and one line, with its import. */
const addToy = (to: string): void => {
  cpSync(join(ROOT, 'docs/toy-backend'), join(to, dirname(TABLE), 'toy'), { recursive: true })
  const table = readFileSync(join(to, TABLE), 'utf8')
  const added = IMPORT + table.replace(/(?<=BACKENDS: .* = \[.*)\]/, ', toy]')
  assert.notEqual(added, IMPORT + table)
  writeFileSync(join(to, TABLE), added)
}

type Running = {
  readonly service: ServiceProcess
  readonly sandbox: SandboxDescription
  readonly token: readonly [WireToken, WireToken]
}
let running: Running
const directory = temporaryDirectory()
const stops: (() => Promise<unknown>)[] = []

before(async () => {
  copyService(directory.path)
  addToy(directory.path)
  const { network, endpoints, stop } = await startSandbox({
    log: () => undefined,
    now: Date.now,
    withPaymentChains: false,
  })
  stops.push(stop)
  const file = join(directory.path, 'network.json')
  const chains = network.chains.map((chain) => ({ ...chain, backends: { toy: { bridge: BRIDGE.address } } }))
  writeFileSync(file, JSON.stringify({ ...network, chains }))
  const data = join(directory.path, 'data')
  const service = await startServiceProcess(
    { RFQ_CONFIG: file, DATA_DIR: data, RATE_LIMIT: 'off' },
    { root: directory.path },
  )
  stops.push(service.stop)
  // CAST: the sandbox describes itself as docs/sandbox.md says; the test uses nothing else of it.
  const sandbox = (await endpoints
    .find(({ path }) => path === '/sandbox')
    ?.handle(undefined)) as SandboxDescription
  const { body } = await fetchUndocumented<{ tokens: WireToken[] }>(
    `${service.url}/v1/rfq/tokens?backend=toy`,
  )
  const [from, to] = [CHAINS.a, CHAINS.b].map((chainId) =>
    body.tokens.find((token) => token.chainId === chainId && token.symbol === 'HBR'),
  )
  assert.ok(from && to)
  running = { service, sandbox, token: [from, to] }
})
after(async () => {
  for (const stop of stops.reverse()) await stop()
  directory.remove()
})

const requestOf = ({ token: [from, to] }: Running, changes: object = {}) => ({
  fromChain: from.chainId,
  fromToken: from.address,
  toChain: to.chainId,
  toToken: to.address,
  amount: `${10n ** BigInt(from.decimals)}`,
  orderType: 'EXACT_INPUT',
  sender: SENDER.address,
  recipient: RECIPIENT.address,
  ...changes,
})

type QuoteBody = {
  readonly quotes?: readonly WireQuote[]
  readonly error?: { readonly code: string; readonly details: Readonly<Record<string, unknown>> }
}
const ask = (changes: object = {}) =>
  fetchUndocumented<QuoteBody>(`${running.service.url}/v1/rfq/quote`, requestOf(running, changes))

/** All quotes of a pair, once every backend that serves it prices it. */
const quotesWith = async (types: readonly string[]): Promise<readonly WireQuote[]> => {
  let seen = ''
  return eventually(
    () => `quotes of ${types} after those of ${seen}`,
    async () => {
      const { quotes = [] } = (await ask()).body
      seen = quotes.map(({ backend }) => backend.type).join(', ')
      return types.every((type) => quotes.some(({ backend }) => backend.type === type)) && quotes
    },
  )
}

test('a folder and a line make a backend that type-checks', async () => {
  const config = join(directory.path, 'tsconfig.toy.json')
  writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', include: [dirname(TABLE)] }))
  const words = ['--project', config, '--listFiles']
  const { stdout } = await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), words)
  assert.match(stdout, /backends\/toy\/index\.ts$/m)
})

test("the toy backend's quotes are ranked with those of the others", async () => {
  const quotes = await quotesWith(['its', 'toy'])
  const toy = quotes.find(({ backend }) => backend.type === 'toy')
  assert.ok(toy)
  assert.equal(toy.backend.name, 'Toy Bridge')
  assert.equal(BigInt(toy.output.amount), (BigInt(toy.input.amount) * 999n) / 1000n)
  assert.deepEqual(
    quotes.map(({ selectionReason }) => ['highest_output', 'best_value'].includes(selectionReason)),
    quotes.map((_, index) => index === 0),
  )
})

test('its contract is rejected as recipient and as sender', async () => {
  for (const field of ['recipient', 'sender'])
    for (const value of [BRIDGE.address, BRIDGE.address.toLowerCase()]) {
      const { status, body } = await ask({ [field]: value })
      assert.deepEqual(
        [status, body.error?.code, body.error?.details['field']],
        [400, 'INVALID_REQUEST', field],
      )
    }
})

test('its transfers are followed until the bridge has paid', async () => {
  const { service, sandbox } = running
  const [toy] = (await quotesWith(['toy'])).filter(({ backend }) => backend.type === 'toy')
  const [action] = toy?.actions ?? []
  assert.ok(toy && action)
  const { reader } = chainClients(sandbox, action.chain)
  const hash = await sendAction(sandbox, action, SENDER.privateKey)
  await reader.waitForTransactionReceipt({ hash, timeout: 120_000 })
  const lookup = { quoteId: toy.quoteId }
  await follow(service.url, lookup, ({ state }) => state === 'PENDING', fetchUndocumented)
  const pay = (memo: Hex): Promise<Hex> => {
    const args = [RECIPIENT.address, BigInt(toy.output.amount)] as const
    const call = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    const payload = {
      type: 'evm_transaction',
      to: toy.output.token,
      data: concatHex([call, memo]),
      value: '0',
    }
    return sendAction(sandbox, { ...action, chain: toy.output.chain, payload }, BRIDGE.privateKey)
  }
  const memoOf = (position: number): Hex => concatHex([hash, numberToHex(position, { size: 32 })])
  await pay(memoOf(1))
  const paid = await pay(memoOf(0))
  const { last } = await follow(service.url, lookup, ({ state }) => state === 'DONE', fetchUndocumented)
  assert.deepEqual(doneOf(last), [paid, toy.output.amount])
})

const doneOf = ({ destination, output }: WireStatus): readonly unknown[] => [
  destination?.txHash,
  output?.amount,
]
