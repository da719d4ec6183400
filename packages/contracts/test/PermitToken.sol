// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

interface IWallet {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// @title An ERC-20 that anybody may mint, with ERC-2612 permits and both forms of ERC-3009, as USDC has them.
/// @dev For tests only.
contract PermitToken is ERC20("Permit Token", "PERM") {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant RECEIVE_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    mapping(address owner => uint256) public nonces;
    mapping(address owner => mapping(bytes32 nonce => bool)) public authorizationState;

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline, "PermitToken: late permit");
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
        require(ecrecover(_digest(structHash), v, r, s) == owner, "PermitToken: wrong permit");
        _approve(owner, spender, value);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        bytes32 digest = _useAuthorization(from, to, value, validAfter, validBefore, nonce);
        require(ecrecover(digest, v, r, s) == from, "PermitToken: wrong authorization");
        _transfer(from, to, value);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        bytes32 digest = _useAuthorization(from, to, value, validAfter, validBefore, nonce);
        require(
            IWallet(from).isValidSignature(digest, signature) == IWallet.isValidSignature.selector,
            "PermitToken: wrong authorization"
        );
        _transfer(from, to, value);
    }

    function _useAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce
    ) private returns (bytes32) {
        require(to == msg.sender, "PermitToken: not the payee");
        require(block.timestamp > validAfter && block.timestamp < validBefore, "PermitToken: wrong time");
        require(!authorizationState[from][nonce], "PermitToken: used authorization");
        authorizationState[from][nonce] = true;
        return _digest(keccak256(abi.encode(RECEIVE_TYPEHASH, from, to, value, validAfter, validBefore, nonce)));
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Permit Token"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }
}
