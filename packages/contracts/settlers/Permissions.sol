// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {
    IAuthorizedToken,
    IAuthorizedTokenOfContracts,
    IContractWallet,
    IPermit2,
    IPermitToken
} from "./interfaces/IPermissions.sol";
import {Payments} from "./Payments.sol";

/// @title Takes a depositor's tokens by a permission instead of the depositor's own transaction.
/// @notice A permission is one byte and its content. Each binds exactly one order, for every submitter:
/// 0: the order's signature. The tokens come from a standing allowance to this contract.
/// 1: a signature of ERC-3009's `ReceiveWithAuthorization`, whose nonce is the order's id, valid after 0 and before the
///    order's open deadline.
/// 2: 32 bytes of nonce, and a signature of Permit2's `PermitWitnessTransferFrom`, whose witness is the order and whose
///    deadline is the order's open deadline.
/// 3: value (32 bytes), deadline (32), r (32), s (32) and v (1) of an ERC-2612 permit, and the order's signature. A
///    permit names no order, so it does not suffice alone.
/// The order's signature is the depositor's over the order's digest; the depositor itself needs none.
abstract contract Permissions is Payments {
    using SafeERC20 for IERC20;

    /// @dev What a permission must allow.
    struct Pull {
        address token;
        address owner;
        uint256 amount;
        uint256 deadline;
        bytes32 orderId;
        bytes32 digest;
        bytes32 witness;
    }

    /// @notice Uniswap's Permit2, at the same address of every chain that has it.
    IPermit2 public constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    uint8 private constant ALLOWANCE = 0;
    uint8 private constant AUTHORIZATION = 1;
    uint8 private constant WITNESS = 2;
    uint8 private constant PERMIT = 3;
    /// @dev Value, deadline, r, s and v.
    uint256 private constant PERMIT_LENGTH = 129;
    uint256 private constant SPLIT_SIGNATURE_LENGTH = 65;

    /// @notice The native asset cannot be moved by a permission.
    error NativeInput();
    /// @notice A permission of no known kind, or shorter than its kind.
    error InvalidPermission(bytes permission);
    /// @notice The signature is not the signer's.
    error InvalidSignature(address signer);

    /// @dev Moves exactly the amount from its owner to this contract. Nothing is believed of a permission but the
    /// tokens that arrive: a token that swallows calls it does not know has sent none.
    function _collectBy(bytes calldata permission, Pull memory pull) internal nonReentrant {
        if (pull.token == address(0)) revert NativeInput();
        if (permission.length == 0) revert InvalidPermission(permission);
        IERC20 token = IERC20(pull.token);
        uint256 before = token.balanceOf(address(this));
        uint8 kind = uint8(permission[0]);
        bytes calldata content = permission[1:];
        if (kind == ALLOWANCE) _spend(token, pull, content);
        else if (kind == AUTHORIZATION) _authorize(pull, content);
        else if (kind == WITNESS && content.length >= 32) _witness(pull, content);
        else if (kind == PERMIT && content.length >= PERMIT_LENGTH) _permit(token, pull, content);
        else revert InvalidPermission(permission);
        _requireReceived(token, address(this), before, pull.amount);
    }

    /// @dev The rest of the type of a Permit2 signature: the witness's name and all types by name.
    function _witnessType() internal pure virtual returns (string memory);

    /// @dev Uses a standing allowance; the order's signature is needed unless the owner itself calls.
    function _spend(IERC20 token, Pull memory pull, bytes calldata signature) private {
        if (msg.sender != pull.owner) _requireSignature(pull.owner, pull.digest, signature);
        token.safeTransferFrom(pull.owner, address(this), pull.amount);
    }

    /// @dev Uses an authorization of ERC-3009, whose nonce is the order's id.
    function _authorize(Pull memory pull, bytes calldata signature) private {
        if (signature.length != SPLIT_SIGNATURE_LENGTH) {
            IAuthorizedTokenOfContracts(pull.token).receiveWithAuthorization(
                pull.owner,
                address(this),
                pull.amount,
                0,
                pull.deadline,
                pull.orderId,
                signature
            );
            return;
        }
        IAuthorizedToken(pull.token).receiveWithAuthorization(
            pull.owner,
            address(this),
            pull.amount,
            0,
            pull.deadline,
            pull.orderId,
            uint8(signature[64]),
            bytes32(signature[:32]),
            bytes32(signature[32:64])
        );
    }

    /// @dev Uses a signature of Permit2, whose witness is the order.
    function _witness(Pull memory pull, bytes calldata content) private {
        PERMIT2.permitWitnessTransferFrom(
            IPermit2.PermitTransferFrom(
                IPermit2.TokenPermissions(pull.token, pull.amount),
                uint256(bytes32(content[:32])),
                pull.deadline
            ),
            IPermit2.SignatureTransferDetails(address(this), pull.amount),
            pull.owner,
            pull.witness,
            _witnessType(),
            content[32:]
        );
    }

    /// @dev A permit that somebody else has submitted reverts; its allowance stands all the same.
    function _permit(IERC20 token, Pull memory pull, bytes calldata content) private {
        try
            IPermitToken(pull.token).permit(
                pull.owner,
                address(this),
                uint256(bytes32(content[:32])),
                uint256(bytes32(content[32:64])),
                uint8(content[128]),
                bytes32(content[64:96]),
                bytes32(content[96:128])
            )
        {} catch {}
        _spend(token, pull, content[PERMIT_LENGTH:]);
    }

    /// @dev A key's signature comes first: an account of EIP-7702 has code, and its key keeps its power. Copies one word
    /// at most of what a contract answers.
    function _requireSignature(address signer, bytes32 digest, bytes calldata signature) private view {
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (failure == ECDSA.RecoverError.NoError && recovered == signer) return;
        bytes memory callData = abi.encodeCall(IContractWallet.isValidSignature, (digest, signature));
        bool isValid;
        assembly ("memory-safe") {
            mstore(0, 0)
            isValid := staticcall(gas(), signer, add(callData, 32), mload(callData), 0, 32)
            isValid := and(isValid, gt(returndatasize(), 31))
        }
        bytes32 answer;
        assembly ("memory-safe") {
            answer := mload(0)
        }
        if (!isValid || answer != bytes32(IContractWallet.isValidSignature.selector)) revert InvalidSignature(signer);
    }
}
