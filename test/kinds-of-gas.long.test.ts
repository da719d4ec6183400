import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ownArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { askNode, chainClients, type WireQuote } from 'openrfq/test/wallet.ts'
import { createWalletClient, type Hex, serializeTransaction, type TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import {
  accountAt,
  CHAINS,
  quotesOf,
  requestBody,
  type SandboxService,
  startSandboxService,
  type WireToken,
} from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await startSandboxService({}, ['kinds-of-gas'])
  const before = await gasFromOracleChain()
  await deployOracle()
  await eventually(
    'the service reads the oracle',
    async () => (await gasFromOracleChain()) > (before * 5n) / 4n,
  )
})
after(() => world.stop())

const ORACLE = `0x42${'0'.repeat(37)}f` as const
const ZERO_BYTE_GAS = 4n
const BYTE_GAS = 16n
/** Wei per unit of the data's gas, as in GasPriceOracle.sol. */
const DATA_PRICE = 15_000_000_000n
/** Puts a GasPriceOracle that charges for data as OP-stack chains do since Ecotone at its predeploy. */
const deployOracle = async (): Promise<void> => {
  const { chain, transport, reader } = chainClients(world.sandbox, CHAINS.c)
  const account = privateKeyToAccount(accountAt(world, 9).privateKey)
  const wallet = createWalletClient({ account, chain, transport })
  const hash = await wallet.deployContract(ownArtifact('test/GasPriceOracle'))
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
  const code = await reader.getCode({ address: contractAddress ?? assert.fail() })
  await askNode(world.sandbox, CHAINS.c, 'anvil_setCode', ORACLE, code)
}

/** What the chain below charges for a signed transaction. */
const dataFee = (signed: Hex): bigint => {
  let gas = 0n
  for (let at = 2; at < signed.length; at += 2) gas += signed.startsWith('00', at) ? ZERO_BYTE_GAS : BYTE_GAS
  return gas * DATA_PRICE
}

/** What the operator charges for so much gas, as in GasPriceOracle.sol. */
const operatorFee = (gasUsed: bigint): bigint => gasUsed * 200_000_000n + 3_000_000_000_000n

/** What the sender pays for a mined transaction, native value aside. */
const costOf = async (
  chainId: string,
  { transactionHash, gasUsed, effectiveGasPrice }: TransactionReceipt,
) => {
  const gas = gasUsed * effectiveGasPrice
  if (chainId !== CHAINS.c) return gas
  const sent = await chainClients(world.sandbox, chainId).reader.getTransaction({ hash: transactionHash })
  const { r, s, v, yParity = 0 } = sent
  assert.equal(sent.type, 'eip1559')
  const { chainId: id, nonce, to, value, input, gas: limit, maxFeePerGas, maxPriorityFeePerGas } = sent
  const unsigned = {
    chainId: id ?? 0,
    nonce,
    to,
    value,
    data: input,
    gas: limit,
    maxFeePerGas,
    maxPriorityFeePerGas,
  }
  return (
    gas +
    operatorFee(gasUsed) +
    dataFee(serializeTransaction({ ...unsigned, type: 'eip1559' }, { r, s, v, yParity }))
  )
}

const Wei = z.string().transform(BigInt)
const HexText = z.templateLiteral(['0x', z.string()])
const WirePayload = z.object({
  to: HexText,
  data: HexText,
  value: Wei,
  gasLimit: Wei,
  maxFeePerGas: Wei,
  maxPriorityFeePerGas: Wei,
})

/** Executes a quote with its own gas limits and fees. Returns what that cost. */
const pay = async (quote: WireQuote, privateKey: Hex): Promise<bigint> => {
  let paid = 0n
  for (const { chain: chainId, payload: text } of quote.actions) {
    const { to, data, value, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = WirePayload.parse(text)
    const { chain, transport, reader } = chainClients(world.sandbox, chainId)
    const wallet = createWalletClient({ account: privateKeyToAccount(privateKey), chain, transport })
    const fees = chainId === CHAINS.b ? { gasPrice: maxFeePerGas } : { maxFeePerGas, maxPriorityFeePerGas }
    const hash = await wallet.sendTransaction({ to, data, value, gas: gasLimit, ...fees })
    const receipt = await reader.waitForTransactionReceipt({ hash, timeout: 240_000 })
    assert.equal(receipt.status, 'success')
    paid += await costOf(chainId, receipt)
  }
  return paid
}

const tokensOn = (chainId: string, backend: string): readonly WireToken[] =>
  world.tokens.filter((token) => token.chainId === chainId && token.backends.includes(backend))

/** A pair of each token of a chain that the backend serves, with any other asset. */
const pairsFrom = (chainId: string, toChain: string, backend: string) =>
  tokensOn(chainId, backend).flatMap((from) => {
    const to = tokensOn(toChain, backend).find(({ symbol }) => symbol === from.symbol)
    return to === undefined ? [] : [{ from, to }]
  })

const NEXT: Readonly<Record<string, string>> = {
  [CHAINS.a]: CHAINS.b,
  [CHAINS.b]: CHAINS.c,
  [CHAINS.c]: CHAINS.a,
}

/** A quote for five of a token, from one account of the sandbox to the next. */
const quoteFor = async (
  backend: string,
  { from, to }: { readonly from: WireToken; readonly to: WireToken },
  index: number,
): Promise<WireQuote> => {
  const amount = 5n * 10n ** BigInt(from.decimals)
  const body = requestBody(
    { from, to, amount },
    accountAt(world, index).address,
    accountAt(world, index + 1).address,
  )
  const [quote] = await quotesOf(world, backend, body)
  return quote
}

/** The gas of a first quote from the chain with the oracle. */
const gasFromOracleChain = async (): Promise<bigint> => {
  const [pair = assert.fail()] = pairsFrom(CHAINS.c, CHAINS.a, 'its')
  return BigInt((await quoteFor('its', pair, 4)).fees.gas.amount)
}

/** What quotes say that gas costs, in parts of what it costs: one of each backend and token. */
const ratiosOf = async (chainId: string, index: number): Promise<readonly (readonly [string, number])[]> => {
  const ratios: (readonly [string, number])[] = []
  const { privateKey } = accountAt(world, index)
  for (const backend of ['gateway', 'its', 'gateway-express', 'intent'])
    for (const pair of pairsFrom(chainId, NEXT[chainId] ?? '', backend)) {
      const quote = await quoteFor(backend, pair, index)
      const paid = await pay(quote, privateKey)
      ratios.push([
        `${backend} ${pair.from.symbol}`,
        Number((BigInt(quote.fees.gas.amount) * 10_000n) / paid) / 10_000,
      ])
    }
  return ratios
}

const assertClose = async (chainId: string, index: number): Promise<void> => {
  const ratios = await ratiosOf(chainId, index)
  assert.ok(ratios.length >= 6, 'every backend is tried')
  const off = ratios.filter(([, ratio]) => Math.abs(ratio - 1) > 0.1)
  assert.deepEqual(off, [], JSON.stringify(ratios))
}

test('fees.gas is within a tenth of what EIP-1559 transactions cost', () => assertClose(CHAINS.a, 0))

test('fees.gas is within a tenth of what transactions at a legacy gas price cost', () =>
  assertClose(CHAINS.b, 2))

test('fees.gas is within a tenth of what transactions, their data and the operator cost on the OP stack', () =>
  assertClose(CHAINS.c, 4))
