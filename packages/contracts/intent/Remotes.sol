// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {StringToAddress} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/libs/AddressString.sol";

/// @notice The settler of another chain. `axelarChain` is the case-exact name Axelar knows the chain by.
/// `proofWindowSeconds` is how long, at least, an order filled there waits between its fill deadline and its refund.
struct Remote {
    uint256 chainId;
    string axelarChain;
    address settler;
    uint32 proofWindowSeconds;
}

/// @title The trusted settlers of other chains, immutable after deployment.
abstract contract Remotes {
    mapping(uint256 chainId => Remote) private _remotes;
    mapping(bytes32 axelarChainHash => uint256 chainId) private _chainIds;

    error InvalidRemote(uint256 chainId);
    error UntrustedSource(string axelarChain, string sourceAddress);

    constructor(Remote[] memory remotes) {
        for (uint256 i; i < remotes.length; ++i) _trust(remotes[i]);
    }

    /// @notice The trusted settler of a chain.
    /// @param chainId The EVM chain id.
    /// @return The settler; all zero when no settler of the chain is trusted.
    function remoteOf(uint256 chainId) external view returns (Remote memory) {
        return _remotes[chainId];
    }

    /// @dev Whether a settler of another chain is the trusted one. The chain id this contract runs on is never trusted,
    /// so an order's origin and destination always differ.
    function _isTrusted(uint256 chainId, address settler) internal view returns (bool) {
        return settler != address(0) && _remotes[chainId].settler == settler;
    }

    function _remote(uint256 chainId) internal view returns (Remote storage) {
        return _remotes[chainId];
    }

    /// @dev The chain id that an Axelar message truly comes from. Reverts unless chain name and sender are a trusted
    /// pair. The sender is parsed, for Axelar promises nothing about the case of its hex digits.
    function _sourceChainId(
        string calldata axelarChain,
        string calldata sourceAddress
    ) internal view returns (uint256 chainId) {
        chainId = _chainIds[keccak256(bytes(axelarChain))];
        if (!_isTrusted(chainId, StringToAddress.toAddress(sourceAddress)))
            revert UntrustedSource(axelarChain, sourceAddress);
    }

    function _trust(Remote memory remote) private {
        bytes32 nameHash = keccak256(bytes(remote.axelarChain));
        bool isWhole = remote.chainId != 0 &&
            remote.settler != address(0) &&
            remote.proofWindowSeconds != 0 &&
            bytes(remote.axelarChain).length != 0;
        bool isNew = _remotes[remote.chainId].chainId == 0 && _chainIds[nameHash] == 0;
        if (!isWhole || !isNew || remote.chainId == block.chainid) revert InvalidRemote(remote.chainId);
        _remotes[remote.chainId] = remote;
        _chainIds[nameHash] = remote.chainId;
    }
}
