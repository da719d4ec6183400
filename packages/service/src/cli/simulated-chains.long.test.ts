import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { startSimulatedChains } from '@openrfq/sandbox/src/simulated/index.ts'
import type { SimulatedChain } from '@openrfq/sandbox/src/simulated/simulated-chain.ts'
import type { Action, Quote } from '@openrfq/sdk'
import { createClient } from '@openrfq/sdk'
import decodeQR from 'qr/decode.js'
import { rfq } from '../../test/rfq-process.ts'
import {
  EVM,
  EVM_ADDRESSES,
  quoteOf,
  serveSimulatedChains,
  usdcOf,
  userOf,
} from '../../test/simulated-service.ts'
import { solanaPayment } from '../../test/solana-payment.ts'
import { stellarDeposit } from '../chains/stellar/deposit.ts'
import { systemClock } from '../lib/clock.ts'
import { loadCatalogue } from './catalogue.ts'
import type { Command, Context } from './command.ts'
import { demoCommand } from './commands/demo.ts'
import { executeCommand } from './commands/execute.ts'
import { quoteCommand } from './commands/quote.ts'
import { showTransfer } from './demo-transfer.ts'
import { parseFlags } from './flags.ts'
import { createSandboxClient } from './sandbox-client.ts'
import { depositLines } from './show-deposit.ts'
import { UsageError } from './usage-error.ts'
import { readBalance } from './wallets/balance.ts'
import type { ChainNode } from './wallets/chain-node.ts'

const MUXED_ID = 77n
const MODULE_PIXELS = 4

let solana: SimulatedChain
let stellar: SimulatedChain
before(async () => {
  const [first, second] = await startSimulatedChains({ log: () => undefined, now: Date.now, solverCount: 0 })
  assert.ok(first !== undefined && second !== undefined)
  ;[solana, stellar] = [first, second]
})
after(() => Promise.all([solana.stop(), stellar.stop()]))

const serve = (t: TestContext, source: SimulatedChain, payload: Action['payload']) =>
  serveSimulatedChains(t, [solana, stellar], source, payload)

const stellarPayload = () =>
  stellarDeposit({
    vault: payeeOf(stellar),
    id: MUXED_ID,
    token: usdcOf(stellar).address,
    amount: 15_000_000n,
  })

/** An account of the operator. */
const payeeOf = ({ vault, keeper }: SimulatedChain): string => (vault ?? keeper)?.address ?? assert.fail()

const solanaPayload = (sender: string) => {
  const { address, decimals } = usdcOf(solana)
  const token = { address, decimals, splProgram: 'token' } as const
  const memo = 'quote_1 0x00'
  return solanaPayment({ from: sender, to: payeeOf(solana), token, amount: 15_000_000n, memo })
}

const words = (text: string, ...more: readonly string[]): readonly string[] => [...text.split(' '), ...more]

const fromStellar = (token = 'USDC') =>
  `--from-chain stellar:sandbox --from-token ${token} --to-chain ${EVM} --to-token USDC --amount 1.5`

const payeeBalance = (simulatedChain: SimulatedChain): Promise<bigint> => {
  const { chain, rpcUrl, tokens } = simulatedChain
  const assets = tokens.flatMap(({ stellar: asset }) => (asset === undefined ? [] : [asset]))
  const node: ChainNode =
    chain.chainType === 'solana'
      ? { chainType: 'solana', rpcUrl }
      : { chainType: 'stellar', rpcUrl, passphrase: chain.passphrase ?? '', assets }
  return readBalance(node, { token: usdcOf(simulatedChain).address, owner: payeeOf(simulatedChain) })
}

test("execute signs with a Solana account by index and pays the other family's account of that index", async (t) => {
  const sender = userOf(solana, 1).address
  const { url, params } = await serve(t, solana, solanaPayload(sender))
  const held = await payeeBalance(solana)
  const command = `execute --from-chain ${solana.chain.chainId} --from-token usdc --to-chain ${EVM} --to-token USDC`
  const ended = await rfq(words(`${command} --amount 15.0 --account 1 --url`, url))
  assert.equal(ended.code, 0, ended.notes)
  assert.match(ended.notes, /^transfer {8}confirmed {2}[1-9A-HJ-NP-Za-km-z]{80,}$/m)
  assert.match(ended.output, /^received +1\.49 USDC/m)
  const { amount, sender: asked, recipient } = params()
  assert.deepEqual([amount, asked, recipient], ['15000000', sender, EVM_ADDRESSES[1]])
  assert.equal((await payeeBalance(solana)) - held, 15_000_000n)
})

test("execute signs with a Stellar secret through --rpc, and takes tokens in Stellar's notation", async (t) => {
  const { url, params } = await serve(t, stellar, stellarPayload())
  const { stellar: asset } = usdcOf(stellar)
  const held = await payeeBalance(stellar)
  const recipient = EVM_ADDRESSES[0]
  const command = `execute ${fromStellar(`${asset?.code}:${asset?.issuer}`)} --recipient ${recipient} --rpc`
  const { privateKey, address } = userOf(stellar, 4)
  const ended = await rfq(words(command, stellar.rpcUrl, '--json', '--url', url), {
    RFQ_PRIVATE_KEY: privateKey,
  })
  assert.equal(ended.code, 0, ended.notes)
  const { started, status } = JSON.parse(ended.output)
  assert.match(started.txHash, /^[0-9a-f]{64}$/)
  assert.deepEqual([started.sourceChain, status.state], ['stellar:sandbox', 'DONE'])
  const { amount, fromToken, sender } = params()
  assert.deepEqual([amount, fromToken, sender], ['15000000', usdcOf(stellar).address, address])
  assert.equal((await payeeBalance(stellar)) - held, 15_000_000n)
})

/** Reads the half blocks as an image, with a QR decoder. */
const scan = (lines: readonly string[]): string => {
  const size = lines[0]?.length ?? 0
  const pixels = size * MODULE_PIXELS
  const rgba = new Uint8ClampedArray(pixels * pixels * 4)
  for (let y = 0; y < pixels; y += 1)
    for (let x = 0; x < pixels; x += 1) {
      const row = Math.floor(y / MODULE_PIXELS)
      const block = lines[Math.floor(row / 2)]?.[Math.floor(x / MODULE_PIXELS)] ?? ' '
      const isLight = block === '█' || block === (row % 2 === 0 ? '▀' : '▄')
      rgba.fill(isLight ? 255 : 0, (y * pixels + x) * 4, (y * pixels + x) * 4 + 3)
      rgba[(y * pixels + x) * 4 + 3] = 255
    }
  return decodeQR({ width: pixels, height: pixels, data: rgba })
}

const isCode = (line: string): boolean => /^[█▀▄ ]{21,}$/.test(line)

/** A command's context in this process; `print` gets its output, without a terminal. */
const contextOf = (
  command: Command,
  { line = '', url, json = false }: { readonly line?: string; readonly url: string; readonly json?: boolean },
  print: (line: string) => void,
): Context => ({
  client: createClient({ baseUrl: url }),
  sandbox: createSandboxClient(url),
  url,
  flags: parseFlags(command.flags, line === '' ? [] : words(line)),
  json,
  terminal: {
    print: (...lines) => lines.forEach(print),
    printJson: (value) => print(JSON.stringify(value)),
    note: () => undefined,
    progress: () => undefined,
    paint: (_, text) => text,
    columns: undefined,
  },
  environment: { RFQ_PRIVATE_KEY: 'hunter2' },
  ...systemClock,
  onInterrupt: () => () => undefined,
})

const run = async (command: Command, line: string, url: string, json = false): Promise<string> => {
  const printed: string[] = []
  await command.run(contextOf(command, { line, url, json }, (text) => printed.push(text)))
  return printed.join('\n')
}

test('quote shows a deposit address as a SEP-7 link and, with a flag, as its QR code', async (t) => {
  const payload = stellarPayload()
  const { url } = await serve(t, stellar, payload)
  const params = `${fromStellar()} --account 0`
  const lines = (await run(quoteCommand, `${params} --qr`, url)).split('\n')
  assert.ok(lines.includes(`  deposit to   ${payload.address}`))
  const uri = lines.map((line) => /^ {2}in a wallet {2}(web\+stellar:pay\?.*)$/.exec(line)?.[1]).find(Boolean)
  const fields = new URLSearchParams(uri?.slice(uri.indexOf('?')))
  assert.equal(fields.get('destination'), payload.address)
  assert.equal(fields.get('amount'), '1.5')
  assert.equal(fields.get('asset_issuer'), usdcOf(stellar).stellar?.issuer)
  assert.equal(fields.get('network_passphrase'), stellar.chain.passphrase)
  const code = lines.filter(isCode)
  assert.equal(scan(code), uri)
  assert.ok((code[0]?.length ?? 0) <= 80)
  const plain = await run(quoteCommand, params, url)
  assert.deepEqual([plain.includes('web+stellar:pay'), /[█▀▄]/.test(plain)], [true, false])
  const machine = JSON.parse(await run(quoteCommand, `${params} --qr`, url, true))
  assert.equal(machine.quotes[0].actions[0].payload.address, payload.address)
})

test("a deposit address has no link without the token's asset, and no QR code above the size limit", async () => {
  const quote = quoteOf(stellar, stellarPayload())
  const terminal = { columns: 40, paint: (_: string, text: string) => text }
  const network = { passphrase: stellar.chain.passphrase ?? '', assets: [] }
  const unnamed = await depositLines(quote, network, { terminal, withCode: true })
  assert.match(unnamed.join('\n'), /no link: name the token as CODE:ISSUER/)
  const named = { ...network, assets: [usdcOf(stellar).stellar ?? { code: '', issuer: '' }] }
  const narrow = await depositLines(quote, named, { terminal, withCode: true })
  assert.match(narrow.at(-1) ?? '', /has 40 columns, the QR code needs [67][0-9]/)
})

test('reports wrong accounts, keys and recipients before any request or signature', async (t) => {
  const { url, asked } = await serve(t, stellar, stellarPayload())
  const cases: readonly (readonly [Command, string, RegExp])[] = [
    [executeCommand, `${fromStellar()} --account 99`, /--account is "99"; expected 0 to 9/],
    [executeCommand, fromStellar(), /a Stellar secret is S followed by/],
    [quoteCommand, `${fromStellar()} --sender ${payeeOf(stellar)}`, /--recipient is missing: G.*family evm/],
    [quoteCommand, `${fromStellar()} --sender x --account 0`, /give one/],
    [quoteCommand, `${fromStellar(`USDC:G${'A'.repeat(55)}`)} --account 0`, /not an asset of Stellar/],
  ]
  for (const [command, line, message] of cases)
    await assert.rejects(
      run(command, line, url),
      (error) =>
        error instanceof UsageError && message.test(error.message) && !error.message.includes('hunter2'),
    )
  assert.ok(!asked.some(({ line }) => line.startsWith('POST')))
})

test("the demo's transfer is done only when both balances moved by exactly the quoted amounts", async (t) => {
  const [sender, recipient] = [userOf(solana, 0), userOf(stellar, 1)]
  const payload = solanaPayload(sender.address)
  const token = usdcOf(stellar)
  const quote: Quote = {
    ...quoteOf(solana, payload),
    output: { chain: stellar.chain.chainId, token: token.address, amount: '149', minimumAmount: '149' },
  }
  const show = async (delivered: bigint) => {
    const { url } = await serve(t, solana, payload)
    const context = contextOf(demoCommand, { url }, (line) => {
      if (/PENDING/.test(line) && delivered > 0n)
        void stellar.faucet(token.address, recipient.address, delivered)
    })
    const sandbox = await context.sandbox.find()
    assert.ok(sandbox !== undefined)
    const catalogue = await loadCatalogue(context.client)
    const [from, to] = [
      { ...sender, chainType: 'solana' },
      { ...recipient, chainType: 'stellar' },
    ] as const
    const cast = { catalogue, sandbox, sender: from, recipient: to }
    return showTransfer(context, quote, cast, { ending: 'DONE', timeoutMs: 60_000 })
  }
  const delivered = await show(149n)
  assert.deepEqual([delivered.code, delivered.result.state], [0, 'DONE'])
  const { source, destination } = delivered.result
  assert.deepEqual(
    [source.after - source.before, destination.after - destination.before],
    [-15_000_000n, 149n],
  )
  const short = await show(148n)
  assert.deepEqual([short.code, short.result.destination.holds], [4, false])
})
