import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { type Request, withNodes } from '../../../test/json-rpc-node.ts'
import { addressWord, uintWord } from '../../chains/evm/abi-words.ts'
import { DECIMALS_DATA } from '../../chains/evm/erc20.ts'
import { NetworkChain, NetworkToken } from '../../core/network.ts'
import { tokenAddressesData } from '../../protocols/axelar/gateway-contract.ts'
import type { GatewaySide } from './routes.ts'
import { createGatewayStates } from './states.ts'

const TOKEN = `0x${'a1'.repeat(20)}`
const GATEWAY = `0x${'b2'.repeat(20)}`

const chain = NetworkChain.parse({
  chainId: 'eip155:5',
  chainLabel: 'Five',
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:1'],
  finality: 1,
})
const tokenWith = (decimals: number) =>
  NetworkToken.parse({
    ...{ chainId: 'eip155:5', address: TOKEN, symbol: 'USDC', name: 'USD Coin', decimals, verified: true },
    gateway: { denom: 'uusdc', symbol: 'USDC' },
  })

/** A chain whose gateway knows a token of six decimals. */
const answer = ({ method, params: [call] }: Request): object | undefined => {
  if (method !== 'eth_call') return undefined
  const { data } = Object(call)
  if (data === DECIMALS_DATA) return { result: `0x${uintWord(6n)}` }
  return { result: `0x${data === tokenAddressesData('USDC') ? addressWord(TOKEN) : uintWord(0n)}` }
}

test('a token whose contract has other decimals than the network file counts as unknown to the gateway', () =>
  withNodes([{ answer }], async ({ chain: evm }) => {
    const sideOf = (decimals: number): GatewaySide => ({
      ...{ chain, evm, token: tokenWith(decimals), denom: 'uusdc', symbol: 'USDC' },
      ...{ axelarName: 'five', gateway: GATEWAY, finalitySeconds: 1 },
    })
    for (const [decimals, isListed] of [
      [6, true],
      [18, false],
    ] as const) {
      const side = sideOf(decimals)
      const states = createGatewayStates({ now: Date.now, log: () => undefined }, [side])
      await states.start()
      try {
        const state = await eventually('the gateway is read', () => states.of(side))
        assert.equal(state.isListed, isListed)
      } finally {
        await states.stop()
      }
    }
  }))
