import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { type Request, withNodes } from '../../../test/json-rpc-node.ts'
import { addressWord, uintWord } from '../../chains/evm/abi-words.ts'
import { DECIMALS_DATA } from '../../chains/evm/erc20.ts'
import { NetworkChain, NetworkToken } from '../../core/network.ts'
import { ITS_READS } from '../../protocols/axelar/its-contract.ts'
import type { ItsSide } from './routes.ts'
import { createItsStates } from './states.ts'

const TOKEN = `0x${'a1'.repeat(20)}`
const ITS = `0x${'b2'.repeat(20)}`

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
    its: { tokenId: `0x${'7'.repeat(64)}` },
  })

/** A chain on which every contract answers as a token of six decimals and its token manager do. */
const answer = ({ method, params: [call] }: Request): object | undefined => {
  if (method !== 'eth_call') return undefined
  const { data } = Object(call)
  if (data === DECIMALS_DATA) return { result: `0x${uintWord(6n)}` }
  if (data === ITS_READS.implementationTypeAndTokenAddress)
    return { result: `0x${uintWord(4n)}${addressWord(TOKEN)}` }
  return { result: `0x${uintWord(0n)}` }
}

test('a token whose contract has other decimals than the network file has no state, and the log says so', () =>
  withNodes([{ answer }], async ({ chain: evm }) => {
    const sideOf = (decimals: number): ItsSide => ({
      ...{ chain, evm, token: tokenWith(decimals), tokenId: `0x${'7'.repeat(64)}`, axelarName: 'five' },
      ...{ gateway: ITS, its: ITS, maxUintBits: 256, finalitySeconds: 1 },
    })
    const [right, misread] = [sideOf(6), sideOf(18)]
    const lines: string[] = []
    const states = [right, misread].map((side) =>
      createItsStates(
        { now: Date.now, log: (_level, event, fields) => lines.push(`${event} ${JSON.stringify(fields)}`) },
        [side],
      ),
    )
    for (const one of states) await one.start()
    try {
      await eventually('the right one has a state', () => states[0]?.of(right))
      await eventually('the other is refused', () => lines.length > 0)
      assert.deepEqual(lines, [
        `token_decimals_mismatch {"chain":"eip155:5","token":"${TOKEN}","decimals":"6"}`,
      ])
      assert.equal(states[1]?.of(misread), undefined)
    } finally {
      for (const one of states) await one.stop()
    }
  }))
