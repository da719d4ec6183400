// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ISwapRouter} from "./interfaces/ISwapRouter.sol";
import {IWrappedNative} from "./interfaces/IWrappedNative.sol";

/// @title Exact payments and swaps on one exchange, which is immutable after deployment.
/// @dev Token zero is the native asset. Amounts are measured by balances, so tokens that take a fee are rejected.
abstract contract Exchange {
    using SafeERC20 for IERC20;

    /// @dev A path of one pool: token, fee, token; every further pool adds a fee and a token.
    uint256 private constant SHORTEST_PATH = 43;
    uint256 private constant HOP = 23;
    uint256 private constant MAXIMUM_POOLS = 4;

    /// @notice The only contract used for swaps.
    ISwapRouter public immutable swapRouter;
    /// @notice The native asset as an ERC-20.
    IWrappedNative public immutable wrappedNative;

    error InvalidExchange(address swapRouter);
    error InvalidPath(address input, address output, bytes path);
    error InexactTransfer(address token, uint256 expected, uint256 received);
    error UnspentInput(address token, uint256 expected, uint256 spent);
    error TooLittleOutput(uint256 amount, uint256 minimum);
    error PaymentRefused(address recipient, uint256 amount);
    error UnexpectedNative(address payer);

    constructor(address swapRouter_) {
        swapRouter = ISwapRouter(swapRouter_);
        wrappedNative = IWrappedNative(swapRouter.WETH9());
        if (address(wrappedNative).code.length == 0) revert InvalidExchange(swapRouter_);
    }

    /// @dev Native value comes from unwrapping alone.
    receive() external payable {
        if (msg.sender != address(wrappedNative)) revert UnexpectedNative(msg.sender);
    }

    /// @dev Swaps all of `amountIn`, which this contract holds in the path's first token, or in native value where that
    /// is the wrapped native asset: value cannot be confused with what others left on the exchange. Reverts when
    /// the pools cannot take it all, when the recipient gets less than `minimum`, and when the output takes a fee.
    /// @return amountOut The amount of the path's last token that the recipient received.
    function _swap(
        bytes calldata path,
        uint256 amountIn,
        uint256 minimum,
        address recipient
    ) internal returns (uint256 amountOut) {
        IERC20 input = _first(path);
        IERC20 output = _last(path);
        uint256 before = output.balanceOf(recipient);
        ISwapRouter.ExactInputParams memory params = ISwapRouter.ExactInputParams(
            path,
            recipient,
            block.timestamp,
            amountIn,
            minimum
        );
        if (address(input) == address(wrappedNative)) amountOut = _exchangeNative(params);
        else amountOut = _exchangeToken(input, params);
        uint256 received = output.balanceOf(recipient) - before;
        if (received != amountOut) revert InexactTransfer(address(output), amountOut, received);
        if (amountOut < minimum) revert TooLittleOutput(amountOut, minimum);
    }

    /// @dev Takes exactly `amount` of a token from the caller.
    function _collect(IERC20 token, uint256 amount) internal {
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        _requireReceived(token, address(this), before, amount);
    }

    /// @dev Pays exactly `amount`, in native value with all the gas that is left.
    function _pay(address token, address recipient, uint256 amount) internal {
        if (token == address(0)) return _payNative(recipient, amount);
        uint256 before = IERC20(token).balanceOf(recipient);
        IERC20(token).safeTransfer(recipient, amount);
        _requireReceived(IERC20(token), recipient, before, amount);
    }

    /// @dev The ERC-20 that stands for a token on the exchange.
    function _wrapped(address token) internal view returns (address) {
        return token == address(0) ? address(wrappedNative) : token;
    }

    /// @dev Reverts unless a path leads from one token to another one.
    function _requirePath(bytes calldata path, address input, address output) internal pure {
        bool isWhole = path.length >= SHORTEST_PATH &&
            path.length <= SHORTEST_PATH + (MAXIMUM_POOLS - 1) * HOP &&
            (path.length - SHORTEST_PATH) % HOP == 0;
        if (!isWhole || input == output || address(_first(path)) != input || address(_last(path)) != output)
            revert InvalidPath(input, output, path);
    }

    function _exchangeToken(
        IERC20 input,
        ISwapRouter.ExactInputParams memory params
    ) private returns (uint256 amountOut) {
        uint256 before = input.balanceOf(address(this));
        input.forceApprove(address(swapRouter), params.amountIn);
        amountOut = swapRouter.exactInput(params);
        uint256 spent = before - input.balanceOf(address(this));
        if (spent != params.amountIn) revert UnspentInput(address(input), params.amountIn, spent);
    }

    function _exchangeNative(ISwapRouter.ExactInputParams memory params) private returns (uint256 amountOut) {
        uint256 before = address(swapRouter).balance;
        amountOut = swapRouter.exactInput{value: params.amountIn}(params);
        uint256 left = address(swapRouter).balance;
        if (left > before) revert UnspentInput(address(wrappedNative), params.amountIn, params.amountIn + before - left);
    }

    /// @dev Copies nothing of the recipient's return data.
    function _payNative(address recipient, uint256 amount) private {
        bool success;
        assembly ("memory-safe") {
            success := call(gas(), recipient, amount, 0, 0, 0, 0)
        }
        if (!success) revert PaymentRefused(recipient, amount);
    }

    function _requireReceived(IERC20 token, address recipient, uint256 before, uint256 amount) private view {
        uint256 received = token.balanceOf(recipient) - before;
        if (received != amount) revert InexactTransfer(address(token), amount, received);
    }

    function _first(bytes calldata path) private pure returns (IERC20) {
        return IERC20(address(bytes20(path[:20])));
    }

    function _last(bytes calldata path) private pure returns (IERC20) {
        return IERC20(address(bytes20(path[path.length - 20:])));
    }
}
