// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ChainFacts} from "../factory/ChainFacts.sol";
import {IPool, IPoolRegistry} from "./interfaces/IPools.sol";
import {IWrappedNative} from "./interfaces/IWrappedNative.sol";

/// @title Swaps on the pools of one exchange, and measured payments, under one lock.
/// @dev Token zero is the native asset. The lock also holds the pool that may call back: the registry's pool of the hop
/// in progress, once. So no other contract is ever paid for a callback, and a pool is paid this hop's input at most.
abstract contract PoolSwaps {
    using SafeERC20 for IERC20;

    /// @dev A path of one pool: token, fee, token; every further pool adds a fee and a token.
    uint256 private constant SHORTEST_PATH = 43;
    uint256 private constant HOP = 23;
    uint256 private constant MAXIMUM_POOLS = 4;
    /// @dev The extreme prices of Uniswap v3, at which no price limit stops a swap.
    uint160 private constant LOWEST_PRICE = 4295128739 + 1;
    uint160 private constant HIGHEST_PRICE = 1461446703485210103287273052203988822378723970342 - 1;

    uint256 private constant FREE = 1;
    uint256 private constant BUSY = 2;

    /// @notice The registry of the pools; zero on a chain without an exchange.
    IPoolRegistry public immutable swapFactory;
    /// @notice The native asset as an ERC-20; zero on a chain without one.
    IWrappedNative public immutable wrappedNative;

    /// @dev Free, busy, or the pool that is to call back.
    uint256 private _lock = FREE;

    /// @notice A call came in while another one is in progress.
    error Reentered();
    /// @notice The caller is not the pool of the hop in progress, or has been paid already.
    error UnexpectedCallback(address caller);
    /// @notice Native value from another account than the wrapped native asset.
    error UnexpectedNative(address payer);
    /// @notice This chain has no wrapped native asset, so the native asset cannot be swapped.
    error NoWrappedNative();
    /// @notice The registry names no pool of two tokens and a fee.
    error NoPool(address tokenA, address tokenB, uint24 fee);
    /// @notice A path that does not lead from the input to the output, or has too many pools.
    error InvalidPath(address input, address output, bytes path);
    /// @notice A hop without an input, or with one that a pool cannot express.
    error InvalidAmount(uint256 amount);
    /// @notice A pool asked for another amount than the input of the hop, or for nothing.
    error PartialSwap(address pool, uint256 amount, int256 taken);
    /// @notice Another amount of a token arrived than was asked for.
    error InexactTransfer(address token, uint256 expected, uint256 received);
    /// @notice The output is below the minimum.
    error TooLittleOutput(uint256 amount, uint256 minimum);
    /// @notice The payee refused native value.
    error PaymentRefused(address to, uint256 amount);

    /// @dev One call at a time. While a pool is called, the lock holds that pool's address.
    modifier locked() {
        if (_lock != FREE) revert Reentered();
        _lock = BUSY;
        _;
        _lock = FREE;
    }

    /// @dev Takes the registry and the wrapped asset; either may be zero.
    constructor(ChainFacts memory facts) {
        swapFactory = IPoolRegistry(facts.swapFactory);
        wrappedNative = IWrappedNative(facts.wrappedNative);
    }

    /// @dev Native value comes from unwrapping alone.
    receive() external payable {
        if (msg.sender != address(wrappedNative)) revert UnexpectedNative(msg.sender);
    }

    /// @notice Pays a Uniswap v3 pool the input of the hop in progress.
    /// @param amount0 What the pool asks of the lower token, if positive.
    /// @param amount1 What the pool asks of the higher token, if positive.
    /// @param data The hop's input token and amount.
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _payPool(amount0, amount1, data);
    }

    /// @notice Pays a PancakeSwap v3 pool the input of the hop in progress.
    /// @param amount0 What the pool asks of the lower token, if positive.
    /// @param amount1 What the pool asks of the higher token, if positive.
    /// @param data The hop's input token and amount.
    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _payPool(amount0, amount1, data);
    }

    /// @dev Swaps all of `amount`, which this contract holds in the path's first token. Reverts when a pool cannot take
    /// it all.
    /// @return received What the payee's balance of the last token grew by.
    function _swap(bytes memory path, uint256 amount, address payee) internal returns (uint256 received) {
        IERC20 output = IERC20(_tokenAt(path, path.length - 20));
        uint256 before = output.balanceOf(payee);
        for (uint256 at; at + SHORTEST_PATH <= path.length; at += HOP) {
            bool isLast = at + SHORTEST_PATH == path.length;
            amount = _hop(_tokenAt(path, at), _feeAt(path, at + 20), _tokenAt(path, at + HOP), amount, isLast ? payee : address(this));
        }
        received = output.balanceOf(payee) - before;
    }

    /// @dev Takes exactly `amount` of a token from the caller.
    function _collect(IERC20 token, uint256 amount) internal {
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = token.balanceOf(address(this)) - before;
        if (received != amount) revert InexactTransfer(address(token), amount, received);
    }

    /// @dev Pays a token.
    /// @return received What the payee's balance grew by.
    function _push(IERC20 token, address payee, uint256 amount) internal returns (uint256 received) {
        uint256 before = token.balanceOf(payee);
        token.safeTransfer(payee, amount);
        received = token.balanceOf(payee) - before;
    }

    /// @dev Tries to pay a token; copies at most one word of its answer.
    function _tryPush(IERC20 token, address payee, uint256 amount) internal returns (bool isPaid) {
        bytes memory callData = abi.encodeCall(IERC20.transfer, (payee, amount));
        assembly ("memory-safe") {
            isPaid := call(gas(), token, 0, add(callData, 32), mload(callData), 0, 32)
            if isPaid {
                switch returndatasize()
                case 0 {
                    isPaid := gt(extcodesize(token), 0)
                }
                default {
                    isPaid := and(gt(returndatasize(), 31), eq(mload(0), 1))
                }
            }
        }
    }

    /// @dev Unwraps and pays native value with all the gas that is left; copies nothing of the payee's answer.
    function _pushNative(address payee, uint256 amount) internal {
        wrappedNative.withdraw(amount);
        bool isPaid;
        assembly ("memory-safe") {
            isPaid := call(gas(), payee, amount, 0, 0, 0, 0)
        }
        if (!isPaid) revert PaymentRefused(payee, amount);
    }

    /// @dev The ERC-20 that stands for a token. Reverts for the native asset of a chain that does not wrap it.
    function _wrapped(address token) internal view returns (address) {
        if (token != address(0)) return token;
        if (address(wrappedNative) == address(0)) revert NoWrappedNative();
        return address(wrappedNative);
    }

    /// @dev Reverts unless a path leads from one token to another one.
    function _requirePath(bytes memory path, address input, address output) internal pure {
        bool isWhole = path.length >= SHORTEST_PATH &&
            path.length <= SHORTEST_PATH + (MAXIMUM_POOLS - 1) * HOP &&
            (path.length - SHORTEST_PATH) % HOP == 0;
        if (!isWhole || input == output || _tokenAt(path, 0) != input || _tokenAt(path, path.length - 20) != output)
            revert InvalidPath(input, output, path);
    }

    /// @dev Swaps all of an amount on the registry's pool. Returns what the pool says it paid.
    function _hop(
        address input,
        uint24 fee,
        address output,
        uint256 amount,
        address payee
    ) private returns (uint256) {
        if (amount == 0 || amount > uint256(type(int256).max)) revert InvalidAmount(amount);
        if (address(swapFactory) == address(0)) revert NoPool(input, output, fee);
        address pool = swapFactory.getPool(input, output, fee);
        if (pool == address(0)) revert NoPool(input, output, fee);
        bool zeroForOne = input < output;
        _lock = uint160(pool);
        (int256 amount0, int256 amount1) = IPool(pool).swap(
            payee,
            zeroForOne,
            int256(amount),
            zeroForOne ? LOWEST_PRICE : HIGHEST_PRICE,
            abi.encode(input, amount)
        );
        if (_lock != BUSY) revert PartialSwap(pool, amount, 0);
        return uint256(-(zeroForOne ? amount1 : amount0));
    }

    /// @dev Pays the pool that the lock expects, once, exactly the input of its hop.
    function _payPool(int256 amount0, int256 amount1, bytes calldata data) private {
        if (_lock != uint160(msg.sender)) revert UnexpectedCallback(msg.sender);
        _lock = BUSY;
        (address input, uint256 amount) = abi.decode(data, (address, uint256));
        int256 taken = amount0 > 0 ? amount0 : amount1;
        if (taken != int256(amount)) revert PartialSwap(msg.sender, amount, taken);
        IERC20(input).safeTransfer(msg.sender, amount);
    }

    /// @dev The token at a byte of a path.
    function _tokenAt(bytes memory path, uint256 at) private pure returns (address token) {
        assembly ("memory-safe") {
            token := shr(96, mload(add(add(path, 32), at)))
        }
    }

    /// @dev The fee at a byte of a path, in hundredths of a basis point.
    function _feeAt(bytes memory path, uint256 at) private pure returns (uint24 fee) {
        assembly ("memory-safe") {
            fee := shr(232, mload(add(add(path, 32), at)))
        }
    }
}
