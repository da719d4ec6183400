import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReport, type SolverStatus } from './solver-status.ts'

const USDC = { chainId: 'eip155:1', token: '0xA0', symbol: 'USDC', spendable: '5' }
const HBR = { chainId: 'eip155:1', token: '0xB0', symbol: 'HBR', spendable: '9' }

const statusOf = (
  inventory: SolverStatus['inventory'],
  rebalance: SolverStatus['rebalance'],
): SolverStatus => ({
  mode: 'normal',
  isConnected: true,
  orders: { open: 0, unpaid: 0, repaid: 0, returned: 0, declined: 0 },
  inventory,
  rebalance,
})

test('logs each asset once when it gets low and once when it is refilled', () => {
  const lines: string[] = []
  const { logStatus } = createReport((level, event, fields) => {
    if (event !== 'solver_status') lines.push(`${level} ${event} ${fields?.['token']}`)
  })
  logStatus(statusOf([USDC, HBR], [USDC]))
  logStatus(statusOf([USDC, HBR], [USDC, HBR]))
  // The balances of both cannot be read.
  logStatus(statusOf([], []))
  logStatus(statusOf([USDC, HBR], [HBR]))
  logStatus(statusOf([USDC, HBR], [HBR]))
  logStatus(statusOf([USDC, HBR], []))
  assert.deepEqual(lines, [
    'warn low_inventory 0xA0',
    'warn low_inventory 0xB0',
    'info inventory_refilled 0xA0',
    'info inventory_refilled 0xB0',
  ])
})
