import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeEventTopics, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem'
import { allowanceData, approveData, balanceOfData, ERC20_TRANSFER_TOPIC } from './erc20.ts'

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

test('calldata and topics equal those of the ERC-20 ABI', () => {
  assert.equal(encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' })[0], ERC20_TRANSFER_TOPIC)
  fc.assert(
    fc.property(address, address, fc.bigInt({ min: 0n, max: maxUint256 }), (owner, spender, amount) => {
      assert.equal(
        balanceOfData(owner),
        encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
      )
      assert.equal(
        allowanceData(owner, spender),
        encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }),
      )
      assert.equal(
        approveData(spender, amount),
        encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
      )
    }),
  )
})
