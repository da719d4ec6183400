import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSolverDirectory } from './solver-directory.ts'

const ONE = '0x00000000000000000000000000000000000000A1'
const TWO = '0x00000000000000000000000000000000000000B2'
const SOLANA = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'

test('finds a solver by any of its accounts, EVM addresses in any case', () => {
  const directory = createSolverDirectory([
    { name: 'one', address: ONE, accounts: { solana: SOLANA } },
    { name: 'two', address: TWO },
  ])
  const one = { name: 'one', address: ONE }
  assert.deepEqual(directory.ownerOf(ONE.toLowerCase()), one)
  assert.deepEqual(directory.ownerOf(SOLANA), one)
  assert.equal(directory.ownerOf(SOLANA.toLowerCase()), undefined)
  assert.equal(directory.accountOn(one, 'evm'), ONE)
  assert.equal(directory.accountOn(one, 'solana'), SOLANA)
  assert.equal(directory.accountOn(one, 'stellar'), undefined)
  assert.equal(directory.accountOn({ address: TWO }, 'solana'), undefined)
})

test('rejects an account that two solvers share', () => {
  const named = [ONE, TWO].map((address) => ({ name: address, address, accounts: { solana: SOLANA } }))
  assert.throws(() => createSolverDirectory(named), {
    name: 'ConfigError',
    message: /two solvers have the account 9xQe/,
  })
  assert.throws(
    () =>
      createSolverDirectory([
        { name: 'a', address: ONE },
        { name: 'b', address: ONE.toLowerCase() },
      ]),
    /two solvers/,
  )
})
