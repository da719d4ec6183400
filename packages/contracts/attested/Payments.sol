// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/// @title Exact payments of native and ERC-20 value, and credits for payees that reject a payment.
/// @dev Token zero is the native asset. A token whose balances change by themselves breaks the promise of its own
/// orders, and of no other token's.
abstract contract Payments is ReentrancyGuard {
    using SafeERC20 for IERC20;

    /// @dev Gas limit of a payment whose failure is credited instead of reverting.
    uint256 private constant PAYMENT_GAS = 300_000;
    /// @dev Gas required before such a payment, so that a payee is credited only when it rejects the payment and never
    /// because the caller gave too little gas: the payment, the 64th part that a call retains, and storing the credit.
    uint256 private constant GAS_BEFORE_PAYMENT = PAYMENT_GAS + PAYMENT_GAS / 63 + 100_000;

    mapping(address account => mapping(address token => uint256)) private _credits;

    /// @notice A credit has been paid.
    event Withdrawn(address indexed account, address indexed token, address indexed recipient, uint256 amount);

    error WrongValue(uint256 given, uint256 expected);
    error InexactTransfer(address token, uint256 expected, uint256 received);
    error PaymentRefused(address recipient, uint256 amount);
    error InsufficientGas(uint256 left, uint256 needed);
    error NothingToWithdraw(address account, address token);
    error InvalidRecipient(address recipient);

    /// @notice Pays an account its credit; anybody may call.
    /// @param account The account with the credit, which is paid.
    /// @param token The token, or zero.
    function withdraw(address account, address token) external nonReentrant {
        _withdraw(account, token, account);
    }

    /// @notice Pays the caller's credit to another address, for a caller that cannot receive it.
    /// @param token The token, or zero.
    /// @param recipient The paid account.
    function withdrawTo(address token, address recipient) external nonReentrant {
        if (recipient == address(0) || recipient == address(this)) revert InvalidRecipient(recipient);
        _withdraw(msg.sender, token, recipient);
    }

    /// @notice The credit of an account that rejected payments.
    /// @param account The account.
    /// @param token The token, or zero.
    /// @return The amount in base units.
    function creditOf(address account, address token) external view returns (uint256) {
        return _credits[account][token];
    }

    /// @dev Moves exactly `amount` from the caller to `recipient`, who may be this contract. Reverts when less arrives,
    /// as with tokens that take a fee, and when the caller sent any other native value than needed.
    function _collect(address token, address recipient, uint256 amount) internal {
        uint256 expectedValue = token == address(0) ? amount : 0;
        if (msg.value != expectedValue) revert WrongValue(msg.value, expectedValue);
        if (token != address(0)) return _collectToken(IERC20(token), recipient, amount);
        if (recipient != address(this) && !_push(token, recipient, amount, gasleft()))
            revert PaymentRefused(recipient, amount);
    }

    /// @dev Pays from the escrow; when the payee or the token refuses, the payee is credited.
    /// @return isPaid Whether the value has moved.
    function _payOrCredit(address token, address payee, uint256 amount) internal returns (bool isPaid) {
        if (gasleft() < GAS_BEFORE_PAYMENT) revert InsufficientGas(gasleft(), GAS_BEFORE_PAYMENT);
        isPaid = _push(token, payee, amount, PAYMENT_GAS);
        if (!isPaid) _credits[payee][token] += amount;
    }

    function _withdraw(address account, address token, address recipient) private {
        uint256 amount = _credits[account][token];
        if (amount == 0) revert NothingToWithdraw(account, token);
        delete _credits[account][token];
        if (token == address(0)) Address.sendValue(payable(recipient), amount);
        else IERC20(token).safeTransfer(recipient, amount);
        emit Withdrawn(account, token, recipient, amount);
    }

    function _collectToken(IERC20 token, address recipient, uint256 amount) private {
        uint256 before = token.balanceOf(recipient);
        token.safeTransferFrom(msg.sender, recipient, amount);
        uint256 received = token.balanceOf(recipient) - before;
        if (received != amount) revert InexactTransfer(address(token), amount, received);
    }

    /// @dev Tries to pay with bounded gas, and copies at most one word of the callee's return data.
    function _push(address token, address payee, uint256 amount, uint256 gasLimit) private returns (bool success) {
        if (token == address(0)) {
            assembly ("memory-safe") {
                success := call(gasLimit, payee, amount, 0, 0, 0, 0)
            }
            return success;
        }
        bytes memory callData = abi.encodeCall(IERC20.transfer, (payee, amount));
        assembly ("memory-safe") {
            success := call(gasLimit, token, 0, add(callData, 32), mload(callData), 0, 32)
            if success {
                switch returndatasize()
                case 0 {
                    success := gt(extcodesize(token), 0)
                }
                default {
                    success := and(gt(returndatasize(), 31), eq(mload(0), 1))
                }
            }
        }
    }
}
