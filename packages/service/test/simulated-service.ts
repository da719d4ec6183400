import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { SimulatedChain } from '@openrfq/sandbox/src/simulated/simulated-chain.ts'
import type { Action } from '@openrfq/sdk'
import { Quote } from '@openrfq/sdk'
import { toIso } from '../src/core/instant.ts'
import { startScriptedService } from './scripted-service.ts'

/** An EVM chain that is listed but never called. */
export const EVM = 'eip155:1'
const EVM_TOKEN = `0x${'a'.repeat(40)}`
/** The sandbox's accounts on the EVM chain. */
export const EVM_ADDRESSES = [`0x${'b'.repeat(40)}`, `0x${'C'.repeat(40)}`] as const

const listed = (chainId: string, address: string, symbol: string, decimals: number) => ({
  chainId,
  address,
  symbol,
  name: symbol,
  decimals,
  verified: true,
  backends: ['intent'],
})

/** The simulated chain's USDC. */
export const usdcOf = ({ tokens }: SimulatedChain) => {
  const token = tokens.find(({ symbol }) => symbol === 'USDC')
  assert.ok(token !== undefined)
  return token
}

/** One of the simulated chain's ten accounts. */
export const userOf = ({ accounts }: SimulatedChain, index: number) => {
  const account = accounts[index]
  assert.ok(account !== undefined)
  return account
}

const listedChain = ({ chain: { chainId, chainLabel, chainType, nativeToken } }: SimulatedChain) => ({
  chainId,
  chainLabel,
  chainType,
  nativeToken,
})

const describe = ({ chain, rpcUrl, subscriptionsUrl }: SimulatedChain) => ({
  chainId: chain.chainId,
  chainType: chain.chainType,
  rpcUrl,
  ...(subscriptionsUrl === undefined ? {} : { subscriptionsUrl }),
  ...(chain.passphrase === undefined ? {} : { networkPassphrase: chain.passphrase }),
})

/** A quote of 1.49 USDC on the EVM chain for the payload on the simulated chain. */
export const quoteOf = (source: SimulatedChain, payload: Action['payload']): Quote => {
  const chain = source.chain.chainId
  const fee = {
    amount: '5',
    token: { chain, symbol: source.chain.nativeToken.symbol, type: 'native' },
    paymentMethod: 'wallet_native',
    quoteTreatment: 'outside_quote',
  }
  return Quote.parse({
    quoteId: 'quote_1',
    selectionReason: 'highest_output',
    backend: { type: 'intent', name: 'Solver', tracking: { swapId: '0x1' }, metadata: {} },
    estimatedTimeSeconds: 5,
    validity: { type: 'expires_at', quoteExpiresAt: toIso(Date.now() + 600_000) },
    input: { chain, token: usdcOf(source).address, amount: '15000000' },
    output: { chain: EVM, token: EVM_TOKEN, amount: '1490000', minimumAmount: '1490000' },
    fees: { gas: fee, user: fee, integrator: null },
    actions: [{ id: 'transfer', label: 'Deposit USDC', type: 'transaction', chain, payload }],
  })
}

const PENDING = {
  quoteId: 'quote_1',
  state: 'PENDING',
  backend: { type: 'intent', name: 'Solver' },
  source: null,
  destination: null,
  output: null,
  refund: null,
  details: {},
}
const DONE = {
  ...PENDING,
  state: 'DONE',
  output: { chain: EVM, token: EVM_TOKEN, amount: '1490000' },
}
/**
 * A service with a sandbox of the simulated chains and an EVM chain. It answers one quote with the payload, and a
 * transfer's state first as PENDING, then as DONE. It ends with the test.
 */
export const serveSimulatedChains = async (
  t: TestContext,
  simulatedChains: readonly SimulatedChain[],
  source: SimulatedChain,
  payload: Action['payload'],
) => {
  const evmChain = { chainId: EVM, chainLabel: 'One', chainType: 'evm' }
  const service = await startScriptedService({
    'GET /v1/rfq/chains': [
      {
        body: {
          chains: [
            { ...evmChain, nativeToken: { symbol: 'ETH', decimals: 18 } },
            ...simulatedChains.map(listedChain),
          ],
        },
      },
    ],
    'GET /v1/rfq/tokens': [
      {
        body: {
          tokens: [
            listed(EVM, EVM_TOKEN, 'USDC', 6),
            ...simulatedChains.flatMap(({ tokens }) =>
              tokens.map(({ chainId, address, symbol, decimals }) =>
                listed(chainId, address, symbol, decimals),
              ),
            ),
          ],
        },
      },
    ],
    'GET /sandbox': [
      {
        body: {
          chains: [{ ...evmChain, rpcUrl: 'http://127.0.0.1:1' }, ...simulatedChains.map(describe)],
          accounts: [
            ...EVM_ADDRESSES.map((address) => ({ chainType: 'evm', address, privateKey: '0x' })),
            ...simulatedChains.flatMap(({ chain, accounts }) =>
              accounts.map(({ address, privateKey }) => ({
                chainType: chain.chainType,
                address,
                privateKey,
              })),
            ),
          ],
          tokens: simulatedChains.flatMap(({ tokens }) => tokens),
        },
      },
    ],
    'POST /v1/rfq/quote': [{ body: { quotes: [quoteOf(source, payload)] } }],
    'GET /v1/rfq/status': [{ body: PENDING }, { body: DONE }],
  })
  t.after(service.stop)
  /** The body of the last quote request. */
  const params = () => JSON.parse(service.asked.findLast(({ line }) => line.startsWith('POST'))?.body ?? '{}')
  return { ...service, params }
}
