import { after, before } from 'node:test'
import { ATTESTED_ARTIFACT, startAttestedChain } from '@openrfq/sandbox/test/attested-world.ts'
import type { Hex } from 'viem'
import { findFailure, mutantsOf, testMutants } from '../solidity-mutants.ts'
import { ATTESTED_CASES } from './attested-cases.ts'
import { ATTESTED_FILL_CASES } from './attested-fill-cases.ts'
import { type Started, worldOf } from './attested-world.ts'

const MUTANTS = mutantsOf('settlers/AttestedSettler.sol')([
  ['anybody opens', 'if (msg.sender != depositor) revert NotDepositor(msg.sender, depositor);', ''],
  ['one id twice', 'if (_kinds[orderId] != from) revert WrongKind(orderId, _kinds[orderId]);', ''],
  ['anybody attests', 'if (signer != order.attester) revert NotAttester(signer, order.attester);', ''],
  ['anybody is released to', '_requirePayee(solver, to);', ''],
  ['the solver gets the fee too', 'order.inputAmount - order.integratorFee;', 'order.inputAmount;'],
  ['the integrator gets no fee', '_earn(_toAddress(order.integrator), token, order.integratorFee);', ''],
  [
    'fills elsewhere',
    'if (!_isHere(order.destinationChain, order.destinationSettler))\n            revert WrongDestination(order.destinationChain, order.destinationSettler);',
    '',
  ],
  [
    'fills of own orders',
    'if (order.originChain == chain) revert WrongOrigin(order.originChain, order.originSettler);',
    '',
  ],
  [
    'late fills',
    'if (block.timestamp > order.fillDeadline) revert FillDeadlinePassed(order.fillDeadline);',
    '',
  ],
  [
    'fills of nothing',
    'if (order.outputAmount == 0) revert ZeroAmount();\n        if (order.rec',
    'if (order.rec',
  ],
  ['fills with a tag', 'if (order.recipientTag != 0) revert InvalidTag(order.recipientTag);', ''],
  [
    'fills to the zero address',
    'recipient == address(0) || recipient == address(this) ||',
    'recipient == address(this) ||',
  ],
  [
    'fills to the settler',
    'recipient == address(0) || recipient == address(this) ||',
    'recipient == address(0) ||',
  ],
  ['fills to the caller', ' || recipient == msg.sender)', ')'],
  ['two fills', 'if (_repayments[orderId] != 0) revert AlreadyFilled(orderId);', ''],
  [
    'late declines',
    'msg.sender == _toAddress(order.solver) && block.timestamp <= order.exclusiveUntil',
    'msg.sender == _toAddress(order.solver)',
  ],
  [
    'anybody declines',
    'msg.sender == _toAddress(order.solver) && block.timestamp <= order.exclusiveUntil',
    'block.timestamp <= order.exclusiveUntil',
  ],
  [
    'refunds a second early',
    '!isDeclined && block.timestamp <= order.refundAfter',
    '!isDeclined && block.timestamp < order.refundAfter',
  ],
  ['refunds to anybody', '_requirePayee(_toAddress(order.depositor), to);', ''],
  ['orders of another settler', 'return chain_ == chain && settler', 'return chain_ == chain || settler'],
  [
    'orders to this chain',
    'order.destinationChain == chain || order.destinationChain == 0',
    'order.destinationChain == 0',
  ],
  [
    'late openings',
    'if (block.timestamp > order.openDeadline) revert OpenDeadlinePassed(order.openDeadline);',
    '',
  ],
  ['openings after the fill deadline', 'order.openDeadline > order.fillDeadline ||', ''],
  ['strangers fill on ledgers', 'order.exclusiveUntil != order.fillDeadline ||', ''],
  ['no time for an attestation', 'order.refundAfter < uint256(order.fillDeadline) + proofWindow ||', ''],
  ['escrows for ever', ' ||\n            order.refundAfter > block.timestamp + MAXIMUM_ESCROW_SECONDS', ''],
  ['no solver', 'solver == address(0) || solver == address(this)', 'solver == address(this)'],
  ['no filler', 'order.filler == 0 || order.filler == order.recipient', 'order.filler == order.recipient'],
  [
    'no recipient',
    'order.recipient == 0 || order.recipient == order.destinationSettler',
    'order.recipient == order.destinationSettler',
  ],
  ['no attester', 'if (order.attester == address(0)) revert InvalidParty(0);', ''],
  ['fees of any size', 'fee > order.inputAmount / MINIMUM_INPUT_PER_FEE ||', ''],
  [
    'strangers fill in the exclusive time',
    '!isFiller && block.timestamp <= order.exclusiveUntil',
    '!isFiller && block.timestamp < order.exclusiveUntil',
  ],
  ['the filler names its payee', 'isFiller ? order.solver : repayTo', 'repayTo'],
  ['the zero address is repaid', 'if (repaid == 0) revert InvalidParty(repaid);', ''],
  ['dirty addresses', 'if (uint256(account) > type(uint160).max) revert InvalidAddress(account);', ''],
])

const CASES = [...ATTESTED_CASES, ...ATTESTED_FILL_CASES]

let started: Started
before(async () => {
  started = await startAttestedChain()
})
after(() => started.stop())

const failureOf = (code: Hex) => findFailure([started], () => worldOf(started, code), CASES)

testMutants({
  subject: 'attested settler',
  file: 'settlers/AttestedSettler.sol',
  contract: 'AttestedSettler',
  mutants: MUTANTS,
  unchanged: ATTESTED_ARTIFACT.bytecode,
  failureOf,
})
