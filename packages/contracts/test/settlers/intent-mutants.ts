import { mutantsOf } from '../solidity-mutants.ts'
import { BASE_MUTANTS } from './base-mutants.ts'

const settler = mutantsOf('settlers/IntentSettler.sol')

/** Mutations of the intent settler and of its base contracts; a case must fail for each. */
export const INTENT_MUTANTS = [
  ...settler([
    [
      'anybody opens with another’s allowance',
      'if (msg.sender != order.depositor) revert NotDepositor(msg.sender, order.depositor);\n        bytes32',
      'bytes32',
    ],
    [
      'anybody opens with another’s permission',
      'if (msg.sender != order.depositor) revert NotDepositor(msg.sender, order.depositor);\n        _openBy',
      '_openBy',
    ],
    [
      'the outer fill deadline is not compared',
      'if (wrapped.fillDeadline != order.fillDeadline) revert WrongWrapper();\n        if (msg',
      'if (msg',
    ],
    ['an id is not compared', 'if (orderId != expected) revert WrongOrderId(orderId, expected);', ''],
    [
      'a fill on another chain number',
      'order.destinationChainId != block.chainid || order.destinationChain !=',
      'order.destinationChain !=',
    ],
    ['A2: a fill under another name', ' || order.destinationChain != chainName)', ')'],
    [
      'a late fill',
      'if (block.timestamp > order.fillDeadline) revert FillDeadlinePassed(order.fillDeadline);',
      '',
    ],
    [
      'no fill in the last second',
      'block.timestamp > order.fillDeadline',
      'block.timestamp >= order.fillDeadline',
    ],
    [
      'A4: a fill without time for a proof',
      'if (order.refundAfter < uint256(order.fillDeadline) + proofWindow) revert WrongDeadlines();',
      '',
    ],
    [
      'a window of one second more',
      'order.refundAfter < uint256(order.fillDeadline) + proofWindow',
      'order.refundAfter <= uint256(order.fillDeadline) + proofWindow',
    ],
    [
      'a fill to the settler',
      'order.recipient == address(this) || order.recipient == msg.sender',
      'order.recipient == msg.sender',
    ],
    [
      'a fill to the caller',
      'order.recipient == address(this) || order.recipient == msg.sender',
      'order.recipient == address(this)',
    ],
    [
      'two fills of an order',
      '_move(orderId, Kind.None, Kind.Filled, repayTo);',
      '_records[orderId] = uint256(Kind.Filled) | (uint256(uint160(repayTo)) << 8);',
    ],
    [
      'the filler is repaid instead of the solver',
      'if (msg.sender == order.filler) return order.solver;',
      'if (msg.sender == order.filler) return msg.sender;',
    ],
    [
      'the filler names its payee',
      'if (msg.sender == order.filler) return order.solver;',
      'if (msg.sender == order.filler && fillerData.length == 0) return order.solver;',
    ],
    [
      'strangers fill in the last exclusive second',
      'if (block.timestamp <= order.exclusiveUntil) revert NotFiller',
      'if (block.timestamp < order.exclusiveUntil) revert NotFiller',
    ],
    [
      'strangers fill at any time',
      'if (block.timestamp <= order.exclusiveUntil) revert NotFiller(msg.sender, order.filler);',
      '',
    ],
    [
      'the zero address is repaid',
      'repayTo == address(0) || repayTo == address(this)',
      'repayTo == address(this)',
    ],
    ['the settler is repaid', 'repayTo == address(0) || repayTo == address(this)', 'repayTo == address(0)'],
    [
      'a proof of what is not filled',
      'if (_kindOf(found) != Kind.Filled) revert WrongKind(orderId, _kindOf(found));',
      '',
    ],
    ['a proof of 99 at most', 'digests.length > MAXIMUM_BATCH_SIZE', 'digests.length >= MAXIMUM_BATCH_SIZE'],
    [
      'a proof of more than 100',
      'digests.length == 0 || digests.length > MAXIMUM_BATCH_SIZE',
      'digests.length == 0',
    ],
    [
      'a proof of nothing',
      'digests.length == 0 || digests.length > MAXIMUM_BATCH_SIZE',
      'digests.length > MAXIMUM_BATCH_SIZE',
    ],
    [
      'gas is refunded to the settler',
      '                payload,\n                msg.sender\n',
      '                payload,\n                address(this)\n',
    ],
    ['anybody claims for itself', '_requirePayee(payee, to);\n        uint256 sum', 'uint256 sum'],
    [
      'a claim of what is not proven',
      'if (_kindOf(found) != Kind.Proven) revert WrongKind(orderId, _kindOf(found));',
      '',
    ],
    [
      'a claim of another payee’s order',
      '_accountOf(found) != payee || order.inputToken != token',
      'order.inputToken != token',
    ],
    [
      'a claim of another token’s order',
      '_accountOf(found) != payee || order.inputToken != token',
      '_accountOf(found) != payee',
    ],
    ['two claims of an order', '_records[orderId] = (found & ~uint256(0xff)) | uint256(Kind.Released);', ''],
    [
      'a released order forgets its payee',
      '(found & ~uint256(0xff)) | uint256(Kind.Released)',
      'uint256(Kind.Released)',
    ],
    [
      'the payee gets the fee too',
      'amount = order.inputAmount - order.integratorFee;',
      'amount = order.inputAmount;',
    ],
    ['the integrator gets no fee', '_earn(order.integrator, token, order.integratorFee);', ''],
    [
      'A1: a late decline',
      'msg.sender == order.solver && block.timestamp <= order.exclusiveUntil',
      'msg.sender == order.solver',
    ],
    [
      'no decline in the last second',
      'block.timestamp <= order.exclusiveUntil;',
      'block.timestamp < order.exclusiveUntil;',
    ],
    [
      'anybody declines',
      'msg.sender == order.solver && block.timestamp <= order.exclusiveUntil',
      'block.timestamp <= order.exclusiveUntil',
    ],
    [
      'a refund a second early',
      '!isDeclined && block.timestamp <= order.refundAfter',
      '!isDeclined && block.timestamp < order.refundAfter',
    ],
    [
      'a refund at any time',
      'if (!isDeclined && block.timestamp <= order.refundAfter) revert RefundTooEarly(order.refundAfter);',
      '',
    ],
    ['a refund to anybody', '_requirePayee(order.depositor, to);', ''],
    [
      'a refund of what is proven',
      '_move(orderId, Kind.Open, Kind.Refunded, address(0));',
      '_records[orderId] = uint256(Kind.Refunded);',
    ],
    [
      'proofs from any address',
      'if (!_isOwnAddress(sourceAddress)) revert UntrustedSource(sourceChain, sourceAddress);',
      '',
    ],
    ['proofs of any length', 'if (payload.length % PROOF_LENGTH != 0) revert WrongProof();', ''],
    [
      'proofs for the zero address',
      'repayTo == 0 || repayTo > type(uint160).max',
      'repayTo > type(uint160).max',
    ],
    ['proofs with dirty payees', 'repayTo == 0 || repayTo > type(uint160).max', 'repayTo == 0'],
    ['proofs of what is not open', 'if (_kindOf(_records[orderId]) != Kind.Open) continue;', ''],
    [
      'orders of another chain’s number',
      'if (order.originChainId != block.chainid) revert WrongOrigin(order.originChainId);',
      '',
    ],
    [
      'orders to this chain’s number',
      'order.destinationChainId == block.chainid || destinationChain == chainName',
      'destinationChain == chainName',
    ],
    [
      'orders to this chain’s name',
      'destinationChain == chainName || !isFolded(destinationChain)',
      '!isFolded(destinationChain)',
    ],
    ['orders to names with capitals', ' || !isFolded(destinationChain)', ''],
    [
      'orders opened late',
      'if (block.timestamp > openDeadline) revert OpenDeadlinePassed(openDeadline);',
      '',
    ],
    ['no opening in the last second', 'block.timestamp > openDeadline', 'block.timestamp >= openDeadline'],
    ['opening after the fill deadline', 'openDeadline > fillDeadline ||', ''],
    ['exclusive beyond the fill deadline', 'order.exclusiveUntil > fillDeadline ||', ''],
    ['a refund at the fill deadline', 'fillDeadline >= refundAfter', 'fillDeadline > refundAfter'],
    ['an escrow for ever', ' ||\n            refundAfter > block.timestamp + MAXIMUM_ESCROW_SECONDS', ''],
    ['orders of nothing', 'order.inputAmount == 0 || order.outputAmount == 0', 'order.outputAmount == 0'],
    ['orders for nothing', 'order.inputAmount == 0 || order.outputAmount == 0', 'order.inputAmount == 0'],
    ['no solver', 'solver == address(0) || solver == address(this)', 'solver == address(this)'],
    ['the settler as solver', 'solver == address(0) || solver == address(this)', 'solver == address(0)'],
    ['no filler', 'filler == address(0) || filler == recipient', 'filler == recipient'],
    ['the recipient as filler', 'filler == address(0) || filler == recipient', 'filler == address(0)'],
    ['no recipient', 'recipient == address(0) || recipient == address(this)', 'recipient == address(this)'],
    [
      'the settler as recipient',
      'recipient == address(0) || recipient == address(this)',
      'recipient == address(0)',
    ],
    [
      'dirty output tokens',
      'if (order.outputToken == address(this)) revert InvalidParty(order.outputToken);',
      '',
    ],
    ['the settler as integrator', 'if (integrator == address(this)) revert InvalidParty(integrator);', ''],
    ['fees of any size', 'fee > order.inputAmount / MINIMUM_INPUT_PER_FEE ||', ''],
    ['fees without an integrator', ' || (fee == 0) != (integrator == address(0))', ''],
    ['a wrapper of another settler', 'wrapped.originSettler != address(this) ||', ''],
    ['a wrapper of another user', 'wrapped.user != order.depositor ||', ''],
    ['a wrapper of another nonce', 'bytes32(wrapped.nonce) != order.salt ||', ''],
    ['a wrapper of another chain', 'wrapped.originChainId != order.originChainId ||', ''],
    ['a wrapper of another open deadline', 'wrapped.openDeadline != order.openDeadline ||', ''],
    [
      'a wrapper of another fill deadline',
      ' ||\n            wrapped.fillDeadline != order.fillDeadline\n',
      '\n',
    ],
    [
      'any type of data',
      'if (orderDataType != INTENT_ORDER_TYPEHASH) revert WrongOrderType(orderDataType);',
      '',
    ],
    [
      'any length of data',
      'if (encoded.length != INTENT_ORDER_LENGTH) revert WrongOrderLength(encoded.length);',
      '',
    ],
    [
      'Open announces the fee as the solver’s',
      'sub(calldataload(add(order, 0x140)), calldataload(add(order, 0x220)))',
      'calldataload(add(order, 0x140))',
    ],
    [
      'Open announces another solver',
      'calldataload(add(order, 0x1c0))) // solver',
      'calldataload(add(order, 0x1e0))) // solver',
    ],
    ['Open announces another length', 'log2(data, 0x560', 'log2(data, 0x540'],
    [
      'the domain names no contract',
      '                address(this)\n            )\n        );\n    }\n\n    /// @inheritdoc IIntentSettler\n    function record',
      '                address(1)\n            )\n        );\n    }\n\n    /// @inheritdoc IIntentSettler\n    function record',
    ],
  ]),
  ...BASE_MUTANTS,
]
