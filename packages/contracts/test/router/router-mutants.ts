import { mutantsOf } from '../solidity-mutants.ts'

const router = mutantsOf('router/ExpressRouter.sol')
const swaps = mutantsOf('router/PoolSwaps.sol')

/** Mutations of the router and its swaps; a case must fail for each. */
export const ROUTER_MUTANTS = [
  ...router([
    ['one salt twice', '_usedSalts[msg.sender][order.salt] = true;', ''],
    [
      'a bridge amount below the minimum',
      'if (amount < order.minimumBridgeAmount) revert TooLittleOutput(amount, order.minimumBridgeAmount);',
      '',
    ],
    ['a return given back', 'if (arrival.isReturn) revert WrongTransfer(arrival.transferId);', ''],
    [
      'the sender may not give back',
      'msg.sender == transfer.sender ||\n            msg.sender == transfer.recipient',
      'msg.sender == transfer.recipient',
    ],
    [
      'the recipient may not give back',
      'msg.sender == transfer.recipient ||\n            msg.sender == transfer.keeper',
      'msg.sender == transfer.keeper',
    ],
    ['the keeper may not give back', ' ||\n            msg.sender == transfer.keeper;', ';'],
    [
      'H1: anybody gives back at any time',
      'if (!isEntitled && block.timestamp <= transfer.returnAfter) revert TooEarly(transfer.returnAfter);',
      '',
    ],
    [
      'strangers give back a second early',
      'block.timestamp <= transfer.returnAfter',
      'block.timestamp < transfer.returnAfter',
    ],
    ['the gas of the way back is not paid', 'if (msg.value > 0)', 'if (msg.value > 1 ether)'],
    [
      'gas of the way back is refunded to the router',
      '                amount,\n                msg.sender\n',
      '                amount,\n                address(this)\n',
    ],
    [
      'a delivery is redirected as a refund',
      'if (!arrival.isReturn) revert WrongTransfer(arrival.transferId);',
      '',
    ],
    [
      'anybody redirects a refund',
      'if (msg.sender != arrival.transfer.sender && msg.sender != arrival.transfer.refundAddress)\n            revert NotPayee(msg.sender);',
      '',
    ],
    ['the refund address may not redirect', ' && msg.sender != arrival.transfer.refundAddress)', ')'],
    ['messages without a token', 'revert TokenRequired();', ''],
    ['native value with a message', 'if (msg.value != 0) revert UnexpectedValue(msg.value);', ''],
    [
      'messages from any address',
      'if (!_isOwnAddress(sourceAddress)) revert UntrustedSource(sourceChain, sourceAddress);',
      '',
    ],
    ['deliveries from another chain than they say', 'transfer.sourceChain == from &&\n', ''],
    [
      'deliveries to another name',
      'transfer.destinationChain == chainName &&\n            transfer.destinationChainId',
      'transfer.destinationChainId',
    ],
    ['deliveries to another number', ' &&\n            transfer.destinationChainId == block.chainid;', ';'],
    ['returns from another chain than they went to', 'transfer.destinationChain == from &&', ''],
    [
      'returns to another name',
      'transfer.sourceChain == chainName &&\n            transfer.sourceChainId',
      'transfer.sourceChainId',
    ],
    ['returns to another number', 'transfer.sourceChainId == block.chainid &&\n', ''],
    [
      'returns of another token',
      ' &&\n            keccak256(bytes(transfer.symbol)) == keccak256(bytes(symbol))',
      '',
    ],
    ['messages of another amount', 'transfer.amount != amount || isDelivery', 'isDelivery'],
    [
      'expressed transfers are given back',
      'if (executor != address(0)) revert AlreadyExpressed(executor);',
      '',
    ],
    ['unapproved transfers are given back', 'if (!isApproved) revert NotApprovedByGateway();', ''],
    [
      'M1: strangers execute in the priority',
      'if (isReserved && msg.sender != transfer.executor && msg.sender != transfer.keeper)\n            revert TooEarly(transfer.priorityUntil);',
      '',
    ],
    [
      'the keeper has no priority',
      ' && msg.sender != transfer.keeper)\n            revert TooEarly',
      ')\n            revert TooEarly',
    ],
    [
      'the executor has no priority',
      'isReserved && msg.sender != transfer.executor && msg',
      'isReserved && msg',
    ],
    [
      'a priority without an executor',
      'transfer.executor != address(0) && block.timestamp',
      'block.timestamp',
    ],
    [
      'a priority of a second less',
      'block.timestamp <= transfer.priorityUntil',
      'block.timestamp < transfer.priorityUntil',
    ],
    [
      'delivery to the router',
      'transfer.recipient == address(this) || transfer.recipient == address(wrappedNative)',
      'transfer.recipient == address(wrappedNative)',
    ],
    [
      'delivery to the wrapped asset',
      'transfer.recipient == address(this) || transfer.recipient == address(wrappedNative)',
      'transfer.recipient == address(this)',
    ],
    [
      'delivery below the minimum',
      'if (amount < transfer.minimumAmount) revert TooLittleOutput(amount, transfer.minimumAmount);',
      '',
    ],
    [
      'delivery of another token',
      'else if (arrival.token != output) revert InvalidPath(arrival.token, output, transfer.outputPath);',
      '',
    ],
    ['paths from another token', '_requirePath(order.inputPath, input, bridgeToken);', ''],
    [
      'an input that is not the bridge token',
      'if (input != bridgeToken) revert InvalidPath(input, bridgeToken, order.inputPath);',
      '',
    ],
    ['no fee', 'emit FeePaid(transferId, transfer.integrator, address(token), fee);', 'fee = 0;'],
    [
      'a refused fee is kept',
      '|| !_tryPush(token, transfer.integrator, fee)) return 0;',
      ') return 0; _tryPush(token, transfer.integrator, fee);',
    ],
    ['refunds to the router', 'if (to == address(0) || to == address(this)) revert InvalidParty(to);', ''],
    ['late sending', 'if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline);', ''],
    ['a priority of days', 'order.priorityUntil > block.timestamp + MAXIMUM_PRIORITY_SECONDS ||', ''],
    ['a return that is due at once', 'order.returnAfter <= block.timestamp ||', ''],
    [
      'a return of months',
      ' ||\n            order.returnAfter > block.timestamp + MAXIMUM_RETURN_SECONDS',
      '',
    ],
    [
      'sending to this chain’s number',
      'order.destinationChainId == block.chainid || foldChainName',
      'foldChainName',
    ],
    ['sending to this chain’s name', ' || foldChainName(order.destinationChain) == chainName)', ')'],
    [
      'sending nothing',
      'order.inputAmount == 0 || order.minimumBridgeAmount == 0',
      'order.minimumBridgeAmount == 0',
    ],
    [
      'sending to the zero address',
      'order.recipient == address(0) || order.recipient == address(this)',
      'order.recipient == address(this)',
    ],
    [
      'refunding the zero address',
      'order.refundAddress == address(0) || order.refundAddress == address(this)',
      'order.refundAddress == address(this)',
    ],
    ['fees of any size', 'feeBps > MAXIMUM_FEE_BPS || ', ''],
    ['sending without gas', 'if (msg.value <= input) revert MissingGasPayment(msg.value, input);', ''],
    ['unknown symbols', 'if (token == address(0)) revert UnknownSymbol(symbol);', ''],
  ]),
  ...swaps([
    ['no lock', 'if (_lock != FREE) revert Reentered();', ''],
    [
      'native value from anybody',
      'if (msg.sender != address(wrappedNative)) revert UnexpectedNative(msg.sender);',
      '',
    ],
    [
      'callbacks from anybody',
      'if (_lock != uint160(msg.sender)) revert UnexpectedCallback(msg.sender);',
      '',
    ],
    [
      'callbacks as often as a pool likes',
      '        _lock = BUSY;\n        (address input',
      '        (address input',
    ],
    [
      'pools that take less or more',
      'if (taken != int256(amount)) revert PartialSwap(msg.sender, amount, taken);',
      '',
    ],
    [
      'pools that never call back',
      'if (_lock != BUSY) revert PartialSwap(pool, amount, 0);',
      'if (_lock != BUSY) _lock = BUSY;',
    ],
    [
      'unregistered pools',
      'if (pool == address(0)) revert NoPool(input, output, fee);\n        bool',
      'bool',
    ],
    [
      'a chain without exchange',
      'if (address(swapFactory) == address(0)) revert NoPool(input, output, fee);',
      '',
    ],
    [
      'a token that takes a fee on the way in',
      'if (received != amount) revert InexactTransfer(address(token), amount, received);',
      '',
    ],
    ['refused native payments', 'if (!isPaid) revert PaymentRefused(payee, amount);', ''],
    [
      'a chain without wrapped asset',
      'if (address(wrappedNative) == address(0)) revert NoWrappedNative();',
      '',
    ],
    ['paths of any length', 'path.length <= SHORTEST_PATH + (MAXIMUM_POOLS - 1) * HOP &&', ''],
    ['paths with a rest', ' &&\n            (path.length - SHORTEST_PATH) % HOP == 0', ''],
    ['paths to another token', ' || _tokenAt(path, path.length - 20) != output)', ')'],
    [
      'the wrong price limit',
      'zeroForOne ? LOWEST_PRICE : HIGHEST_PRICE',
      'zeroForOne ? HIGHEST_PRICE : LOWEST_PRICE',
    ],
    ['the input as output', 'zeroForOne ? amount1 : amount0', 'zeroForOne ? amount0 : amount1'],
  ]),
]
