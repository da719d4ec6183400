// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/// @title Exact payments of native and ERC-20 value, and the fees that integrators have earned.
/// @notice What comes in is measured, so a token that takes a fee is refused. A payment that fails reverts and can be
/// repeated. A token that takes a fee later, or is frozen, breaks the promise of its own orders and of no other token's.
/// @dev Token zero is the native asset. Incoming tokens are measured under a lock, so that no transfer counts twice.
/// Outgoing payments need none: the state is final before they start, and a payment from inside a measured transfer
/// only makes that measurement fail.
abstract contract Payments is ReentrancyGuard {
    using SafeERC20 for IERC20;

    mapping(address integrator => mapping(address token => uint256)) private _fees;

    /// @notice An integrator's fees have left the escrow.
    event FeesPaid(address indexed integrator, address indexed token, address to, uint256 amount);

    /// @notice Another native value came with the call than it needs.
    error WrongValue(uint256 given, uint256 expected);
    /// @notice Another amount of a token arrived than was asked for.
    error InexactTransfer(address token, uint256 expected, uint256 received);
    /// @notice A token or payee refused a payment. The call can be repeated, or name another account.
    error PaymentRefused(address token, address to, uint256 amount);
    /// @notice The caller is not the payee, who alone names another account.
    error NotPayee(address caller, address payee);
    /// @notice Zero and this contract cannot be paid.
    error InvalidPayee(address payee);
    /// @notice The integrator has no fees of this token.
    error NothingToPay(address payee, address token);

    /// @notice Pays an integrator the fees that released orders have earned it. Anybody may have them paid to the
    /// integrator, who alone may name another account.
    /// @param token The token, or zero.
    /// @param integrator Who earned the fees.
    /// @param to Who is paid.
    function payFees(address token, address integrator, address to) external {
        _requirePayee(integrator, to);
        uint256 amount = _fees[integrator][token];
        if (amount == 0) revert NothingToPay(integrator, token);
        delete _fees[integrator][token];
        _pay(token, to, amount);
        emit FeesPaid(integrator, token, to, amount);
    }

    /// @notice The fees that an integrator has earned and was not paid yet.
    /// @param integrator The integrator.
    /// @param token The token, or zero.
    /// @return The amount in base units.
    function feesOf(address integrator, address token) external view returns (uint256) {
        return _fees[integrator][token];
    }

    /// @dev Sets a part of the escrow aside for an integrator.
    function _earn(address integrator, address token, uint256 fee) internal {
        if (fee != 0) _fees[integrator][token] += fee;
    }

    /// @dev Moves exactly `amount` from the caller to `to`, who may be this contract. Reverts when anything else
    /// arrives, and when the caller sent any other native value than needed.
    function _collect(address token, address to, uint256 amount) internal {
        uint256 value = token == address(0) ? amount : 0;
        if (msg.value != value) revert WrongValue(msg.value, value);
        if (token != address(0)) _collectToken(IERC20(token), to, amount);
        else if (to != address(this)) _pay(token, to, amount);
    }

    /// @dev Pays `amount`, in native value with all the gas that is left. Copies nothing that a payee answers, and at
    /// most one word that a token answers: it must be true, or nothing at all from a token that has code.
    function _pay(address token, address to, uint256 amount) internal {
        bool isPaid;
        if (token == address(0)) {
            assembly ("memory-safe") {
                isPaid := call(gas(), to, amount, 0, 0, 0, 0)
            }
        } else {
            bytes memory callData = abi.encodeCall(IERC20.transfer, (to, amount));
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
        if (!isPaid) revert PaymentRefused(token, to, amount);
    }

    /// @dev Anybody may have a payee paid; another account is the payee's choice alone. Value paid to nobody or to this
    /// contract would be lost.
    function _requirePayee(address payee, address to) internal view {
        if (to != payee && msg.sender != payee) revert NotPayee(msg.sender, payee);
        if (to == address(0) || to == address(this)) revert InvalidPayee(to);
    }

    /// @dev Reverts unless exactly `amount` has arrived since the holder had `before`.
    function _requireReceived(IERC20 token, address holder, uint256 before, uint256 amount) internal view {
        uint256 received = token.balanceOf(holder) - before;
        if (received != amount) revert InexactTransfer(address(token), amount, received);
    }

    /// @dev Moves exactly `amount` of a token from the caller, under the lock.
    function _collectToken(IERC20 token, address to, uint256 amount) private nonReentrant {
        uint256 before = token.balanceOf(to);
        token.safeTransferFrom(msg.sender, to, amount);
        _requireReceived(token, to, before, amount);
    }
}
