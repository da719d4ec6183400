import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSimulatedChains } from '@openrfq/sandbox/src/simulated/index.ts'
import type { SimulatedChain } from '@openrfq/sandbox/src/simulated/simulated-chain.ts'
import type { Action, Quote } from '@openrfq/sdk'
import { createSolanaRpc, signature } from '@solana/kit'
import { rpc } from '@stellar/stellar-sdk'
import { solanaPayment } from '../../../test/solana-payment.ts'
import { stellarDeposit } from '../../chains/stellar/deposit.ts'
import { toIso } from '../../core/instant.ts'
import { readBalance } from './balance.ts'
import type { ChainNode } from './chain-node.ts'
import { connectWallet } from './connect-wallet.ts'
import { type ExecuteOptions, execute } from './execute.ts'

const NOW = Date.now()
const MEMO = `quote_${'a'.repeat(26)} 0x${'b'.repeat(64)}`
const MUXED_ID = 0x0123_4567_89ab_cdefn
const EVM_KEY = `0x${'7'.repeat(64)}`

let solana: SimulatedChain
let stellar: SimulatedChain
before(async () => {
  const simulatedChains = await startSimulatedChains({ log: () => undefined, now: Date.now, solverCount: 0 })
  const [first, second] = simulatedChains
  assert.ok(first !== undefined && second !== undefined)
  ;[solana, stellar] = [first, second]
})
after(() => Promise.all([solana.stop(), stellar.stop()]))

const nodeOf = ({ chain, rpcUrl, subscriptionsUrl, tokens }: SimulatedChain): ChainNode =>
  chain.chainType === 'solana'
    ? { chainType: 'solana', rpcUrl, subscriptionsUrl }
    : {
        chainType: 'stellar',
        rpcUrl,
        passphrase: chain.passphrase ?? '',
        assets: tokens.flatMap(({ stellar: asset }) => (asset === undefined ? [] : [asset])),
      }

const tokenOf = ({ tokens }: SimulatedChain, symbol: string) => {
  const token = tokens.find((candidate) => candidate.symbol === symbol)
  assert.ok(token !== undefined)
  return token
}

const userOf = ({ accounts }: SimulatedChain, index: number) => {
  const account = accounts[index]
  assert.ok(account !== undefined)
  return account
}

const quoteOf = (chain: string, payload?: Action['payload']): Quote => {
  const fee = {
    amount: '0',
    token: { chain, symbol: 'X', type: 'native' },
    paymentMethod: 'wallet_native',
    quoteTreatment: 'outside_quote',
  } as const
  const action = { id: 'transfer', label: 'Deposit', type: 'transaction', chain } as const
  return {
    quoteId: 'quote_1',
    selectionReason: 'highest_output',
    backend: { type: 'intent', name: 'Intent', tracking: { swapId: '0x1' }, metadata: {} },
    estimatedTimeSeconds: 1,
    validity: { type: 'expires_at', quoteExpiresAt: toIso(NOW + 600_000) },
    input:
      payload?.type === 'deposit_address'
        ? { chain, token: payload.token, amount: payload.amount }
        : { chain, token: 'x', amount: '1' },
    output: { chain: 'eip155:2', token: '0xb', amount: '1', minimumAmount: '1' },
    fees: { gas: fee, user: fee, integrator: null },
    actions: payload === undefined ? [] : [{ ...action, payload }],
  }
}

const run = (quote: Quote, changes: Partial<ExecuteOptions> = {}) =>
  execute({ quote, wallets: {}, now: NOW, ...changes })

const refuses = (quote: Quote, changes: Partial<ExecuteOptions>, code: string, message: RegExp) =>
  assert.rejects(run(quote, changes), { name: 'ExecutionError', code, message })

/** An account of the operator. */
const payeeOf = ({ vault, keeper }: SimulatedChain): string => (vault ?? keeper)?.address ?? assert.fail()

/** Balances of a token before and after the work, of the operator's account and of a user. */
const changesOf = async (
  simulatedChain: SimulatedChain,
  token: string,
  user: string,
  work: () => Promise<void>,
) => {
  const node = nodeOf(simulatedChain)
  const read = () =>
    Promise.all([payeeOf(simulatedChain), user].map((owner) => readBalance(node, { token, owner })))
  const start = await read()
  await work()
  return (await read()).map((balance, index) => balance - (start[index] ?? 0n))
}

test('executes a Solana payload with the Solana wallet, memo included', async () => {
  const user = userOf(solana, 2)
  const wallet = await connectWallet(nodeOf(solana), user.privateKey)
  assert.equal(wallet.address, user.address)
  for (const [symbol, splProgram] of [
    ['USDC', 'token'],
    ['T22', 'token-2022'],
  ] as const) {
    const token = tokenOf(solana, symbol)
    const payload = solanaPayment({
      from: user.address,
      to: payeeOf(solana),
      token: { address: token.address, decimals: token.decimals, splProgram },
      amount: 1_234_567n,
      memo: MEMO,
    })
    let txHash = ''
    const changes = await changesOf(solana, token.address, user.address, async () => {
      const started = await run(quoteOf(solana.chain.chainId, payload), wallet)
      txHash = started.txHash
      assert.deepEqual([started.messageId, started.sourceChain], [undefined, solana.chain.chainId])
    })
    assert.deepEqual(changes, [1_234_567n, -1_234_567n])
    const found = await createSolanaRpc(solana.rpcUrl)
      .getTransaction(signature(txHash), {
        commitment: 'confirmed',
        encoding: 'jsonParsed',
        maxSupportedTransactionVersion: 0,
      })
      .send()
    assert.equal(found?.meta?.err, null)
    assert.ok(JSON.stringify(found.transaction.message.instructions).includes(MEMO))
  }
})

test("pays a deposit address with the Stellar wallet, in its token's asset", async () => {
  const user = userOf(stellar, 2)
  const wallet = await connectWallet(nodeOf(stellar), user.privateKey)
  assert.equal(wallet.address, user.address)
  const token = tokenOf(stellar, 'EURC').address
  const vault = payeeOf(stellar)
  const payload = stellarDeposit({ vault, id: MUXED_ID, token, amount: 12_345_678n })
  let txHash = ''
  const changes = await changesOf(stellar, token, user.address, async () => {
    const started = await run(quoteOf(stellar.chain.chainId, payload), wallet)
    txHash = started.txHash
    assert.deepEqual([started.messageId, started.sourceChain], [undefined, 'stellar:sandbox'])
  })
  assert.deepEqual(changes, [12_345_678n, -12_345_678n])
  const found = await new rpc.Server(stellar.rpcUrl, { allowHttp: true }).getTransaction(txHash)
  assert.ok(found.status === rpc.Api.GetTransactionStatus.SUCCESS)
  const [operation] = found.envelopeXdr.type === 'envelopeTypeTx' ? found.envelopeXdr.value.tx.operations : []
  assert.equal(operation?.body.type, 'payment')
  const destination = operation?.body.type === 'payment' ? operation.body.value.destination : undefined
  assert.ok(destination?.type === 'keyTypeMuxedEd25519' && destination.value.id === MUXED_ID)
})

test("reads native balances of both payment chains by the interface's identifiers", async () => {
  const holder = { owner: userOf(solana, 3).address, token: '1'.repeat(32) }
  assert.equal(await readBalance(nodeOf(solana), holder), 10_000_000_000_000n)
  const token = tokenOf(stellar, 'XLM').address
  const owner = userOf(stellar, 3).address
  assert.equal(await readBalance(nodeOf(stellar), { token, owner }), 10_000_000_000_000n)
  const unknown = payeeOf(solana)
  await assert.rejects(readBalance(nodeOf(stellar), { token: unknown, owner }), RangeError)
})

test('rejects a quote without actions, without a wallet of its family, or in an unknown asset', async () => {
  const vault = payeeOf(stellar)
  const deposit = stellarDeposit({ vault, id: 1n, token: tokenOf(stellar, 'USDC').address, amount: 1n })
  const instructions = {
    type: 'solana_instructions',
    instructions: [],
    addressLookupTableAddresses: [],
  } satisfies Action['payload']
  const call = { type: 'evm_transaction', from: '0x', to: '0x', data: '0x', value: '0' } as const
  const evm = await connectWallet({ chainType: 'evm', rpcUrl: 'http://127.0.0.1:1' }, EVM_KEY)
  await refuses(quoteOf('eip155:1'), evm, 'unsupported', /has no actions/)
  await refuses(quoteOf('stellar:sandbox', deposit), evm, 'unsupported', /needs a wallet of family stellar/)
  await refuses(quoteOf(solana.chain.chainId, instructions), evm, 'unsupported', /family solana/)
  await refuses(quoteOf('eip155:1', call), {}, 'unsupported', /family evm/)
  const forgetful = { ...nodeOf(stellar), assets: [] }
  const { wallets } = await connectWallet(forgetful, userOf(stellar, 0).privateKey)
  await refuses(quoteOf('stellar:sandbox', deposit), { wallets }, 'unsupported', /which no known asset/)
  await refuses(
    quoteOf('eip155:1', { ...call, from: evm.address }),
    evm,
    'unreachable',
    /the chain cannot be read/,
  )
})

test('rejects a key of another family without repeating it', async () => {
  const nodes: readonly ChainNode[] = [
    { chainType: 'evm', rpcUrl: 'http://127.0.0.1:1' },
    nodeOf(solana),
    nodeOf(stellar),
  ]
  const keys = [EVM_KEY, userOf(solana, 0).privateKey, userOf(stellar, 0).privateKey]
  for (const [index, node] of nodes.entries())
    for (const [other, key] of keys.entries())
      if (index !== other)
        await assert.rejects(
          connectWallet(node, key),
          (error) => error instanceof RangeError && !error.message.includes(key),
        )
})
