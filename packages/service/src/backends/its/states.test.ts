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
import { ITS_READS } from '../../protocols/axelar/its-contract.ts'
import type { ItsSide } from './routes.ts'
import { createItsStates } from './states.ts'

const TOKEN_ID = `0x${'7'.repeat(64)}`
const ITS = `0x${'b2'.repeat(20)}`

/** A chain on which every contract answers as the token and as its token manager. */
const answer = answerSixDecimals((calldata) =>
  calldata === ITS_READS.implementationTypeAndTokenAddress
    ? `${uintWord(4n)}${addressWord(SIX_DECIMALS_TOKEN)}`
    : uintWord(0n),
)

test('a token whose contract has other decimals than the network file has no state, and the log says so', () =>
  withNodes([{ answer }], async ({ chain: evm }) => {
    const sideOf = (decimals: number): ItsSide => ({
      ...{ chain: SIX_DECIMALS_CHAIN, evm, tokenId: TOKEN_ID, axelarName: 'five' },
      ...{ token: tokenWithDecimals(decimals, { its: { tokenId: TOKEN_ID } }), erc20: SIX_DECIMALS_TOKEN },
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
      await eventually('the right one has a state', () => states[0]?.read(right, 'six'))
      assert.equal(await states[1]?.read(misread, 'six'), undefined)
      assert.deepEqual(lines, [
        `token_decimals_mismatch {"chain":"eip155:5","token":"${SIX_DECIMALS_TOKEN}","decimals":"6"}`,
      ])
      assert.equal(await states[1]?.read(misread, 'six'), undefined)
    } finally {
      for (const one of states) await one.stop()
    }
  }))

test('one false answer of an endpoint does not end the quotes of a token for ever', () => {
  let isLying = true
  const lie = answerSixDecimals((calldata) =>
    calldata === ITS_READS.implementationTypeAndTokenAddress
      ? `${uintWord(4n)}${addressWord(ITS)}`
      : uintWord(0n),
  )
  return withNodes([{ answer: (request) => (isLying ? lie : answer)(request) }], async ({ chain: evm }) => {
    const side: ItsSide = {
      ...{ chain: SIX_DECIMALS_CHAIN, evm, tokenId: TOKEN_ID, axelarName: 'five' },
      ...{ token: tokenWithDecimals(6, { its: { tokenId: TOKEN_ID } }), erc20: SIX_DECIMALS_TOKEN },
      ...{ gateway: ITS, its: ITS, maxUintBits: 256, finalitySeconds: 1 },
    }
    const lines: string[] = []
    let now = 0
    const states = createItsStates({ now: () => now, log: (_level, event) => lines.push(event) }, [side])
    assert.equal(await states.read(side, 'six'), undefined)
    now += 10_000
    assert.equal(await states.read(side, 'six'), undefined)
    isLying = false
    now += 600_000
    assert.equal((await states.read(side, 'six'))?.manager.type, 'MINT_BURN')
    assert.deepEqual(lines, ['token_manager_mismatch'])
  })
})
