// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {StringToAddress} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/libs/AddressString.sol";

/// @notice The router of another chain. `axelarChain` is the case-exact name Axelar knows the chain by.
struct RemoteRouter {
    uint256 chainId;
    string axelarChain;
    address router;
}

/// @title The trusted routers of other chains, immutable after deployment.
abstract contract TrustedRouters {
    mapping(uint256 chainId => RemoteRouter) private _remotes;
    mapping(bytes32 axelarChainHash => uint256 chainId) private _chainIds;

    error InvalidRemote(uint256 chainId);
    error UnknownDestination(uint256 chainId);
    error UntrustedSource(string axelarChain, string sourceAddress);

    constructor(RemoteRouter[] memory remotes) {
        for (uint256 i; i < remotes.length; ++i) _trust(remotes[i]);
    }

    /// @notice The trusted router of a chain.
    /// @param chainId The EVM chain id.
    /// @return The router; all zero when no router of the chain is trusted.
    function remoteOf(uint256 chainId) external view returns (RemoteRouter memory) {
        return _remotes[chainId];
    }

    /// @dev The trusted router of a chain. Reverts when there is none, as for the chain this contract runs on.
    function _remote(uint256 chainId) internal view returns (RemoteRouter storage remote) {
        remote = _remotes[chainId];
        if (remote.router == address(0)) revert UnknownDestination(chainId);
    }

    /// @dev The chain id that an Axelar message claims to come from. Reverts unless chain name and sender are a trusted
    /// pair. The sender is parsed, for Axelar promises nothing about the case of its hex digits.
    function _sourceChainId(
        string calldata axelarChain,
        string calldata sourceAddress
    ) internal view returns (uint256 chainId) {
        chainId = _chainIds[keccak256(bytes(axelarChain))];
        address router = _remotes[chainId].router;
        if (router == address(0) || StringToAddress.toAddress(sourceAddress) != router)
            revert UntrustedSource(axelarChain, sourceAddress);
    }

    function _trust(RemoteRouter memory remote) private {
        bytes32 nameHash = keccak256(bytes(remote.axelarChain));
        bool isWhole = remote.chainId != 0 && remote.router != address(0) && bytes(remote.axelarChain).length != 0;
        bool isNew = _remotes[remote.chainId].chainId == 0 && _chainIds[nameHash] == 0;
        if (!isWhole || !isNew || remote.chainId == block.chainid) revert InvalidRemote(remote.chainId);
        _remotes[remote.chainId] = remote;
        _chainIds[nameHash] = remote.chainId;
    }
}
