import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { withNodes } from '../../../test/json-rpc-node.ts'
import {
  answerSixDecimals,
  SIX_DECIMALS_CHAIN,
  SIX_DECIMALS_TOKEN,
  tokenWithDecimals,
} from '../../../test/six-decimals.ts'
import { addressWord, uintWord } from '../../chains/evm/abi-words.ts'
import { tokenAddressesData } from '../../protocols/axelar/gateway-contract.ts'
import { createGatewayStates } from './states.ts'

const CARRIED = { readToken: () => Promise.resolve(true), ofToken: () => true }
const GATEWAY = `0x${'b2'.repeat(20)}`

/** A gateway that knows the token. */
const answer = answerSixDecimals((calldata) =>
  calldata === tokenAddressesData('USDC') ? addressWord(SIX_DECIMALS_TOKEN) : uintWord(0n),
)

test('a token whose contract has other decimals than the network file counts as unknown to the gateway', () =>
  withNodes([{ answer }], async ({ chain: evm }) => {
    const sideOf = (decimals: number) => ({
      ...{ chain: SIX_DECIMALS_CHAIN, evm, symbol: 'USDC', gateway: GATEWAY },
      token: tokenWithDecimals(decimals, { gateway: { denom: 'uusdc', symbol: 'USDC' } }),
    })
    for (const [decimals, isListed] of [
      [6, true],
      [18, false],
    ] as const) {
      const side = sideOf(decimals)
      const states = createGatewayStates({ now: Date.now, log: () => undefined, carriage: CARRIED }, [side])
      await states.start()
      try {
        const state = await eventually('the gateway is read', () => states.read(side))
        assert.equal(state.isListed, isListed)
      } finally {
        await states.stop()
      }
    }
  }))
