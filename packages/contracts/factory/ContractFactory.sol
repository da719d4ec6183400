// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ChainFacts, IChainFacts} from "./ChainFacts.sol";
import {isFolded, MAXIMUM_CHAIN_NAME_LENGTH} from "./ChainName.sol";

/// @title Deploys the same code at the same address of every chain, and tells it which chain that is.
/// @notice An address commits to the factory, a salt and the creation code, and not to the facts. So a contract that
/// finds its own address on another chain knows the code there, because only this factory can have put it there. What
/// it must still be told is whether the owner gave that chain true facts: check them before you pay on a chain.
/// The owner can deploy, and nothing else: it cannot change, stop or replace what it has deployed.
/// @dev The factory itself must stand at the same address of every chain; its creation code contains the owner.
contract ContractFactory is IChainFacts {
    /// @notice Alone deploys.
    address public immutable owner;

    ChainFacts private _facts;

    /// @notice A contract was deployed.
    /// @param deployed The contract's address.
    /// @param codeHash The Keccak-256 hash of its creation code.
    /// @param facts What it was told of this chain.
    event Deployed(address indexed deployed, bytes32 indexed codeHash, ChainFacts facts);

    /// @notice The owner is zero: nothing could be deployed.
    error InvalidOwner();
    /// @notice The caller is not the owner.
    error NotOwner(address caller);
    /// @notice A fact that cannot be true: an address without code, a name that is not folded, or no window.
    error InvalidFacts(ChainFacts facts);
    /// @notice Facts are told while a contract is being deployed, and at no other time.
    error NoDeployment();
    /// @notice CREATE2 has deployed nothing and given no reason: something stands at the address.
    error DeploymentFailed();

    /// @param owner_ Who deploys, on every chain; not zero.
    constructor(address owner_) {
        if (owner_ == address(0)) revert InvalidOwner();
        owner = owner_;
    }

    /// @notice Deploys a contract by CREATE2. Reverts with the constructor's own error, or with DeploymentFailed when
    /// something stands at the address.
    /// @param code The creation code, which reads the facts from its caller in its constructor.
    /// @param salt Makes a second family of the same code possible.
    /// @param facts_ What is true of this chain.
    /// @return deployed The contract's address.
    function deploy(
        bytes calldata code,
        bytes32 salt,
        ChainFacts calldata facts_
    ) external returns (address deployed) {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _requireWhole(facts_);
        _facts = facts_;
        bytes memory creation = code;
        assembly ("memory-safe") {
            deployed := create2(0, add(creation, 32), mload(creation), salt)
            if and(iszero(deployed), gt(returndatasize(), 0)) {
                let free := mload(0x40)
                returndatacopy(free, 0, returndatasize())
                revert(free, returndatasize())
            }
        }
        if (deployed == address(0)) revert DeploymentFailed();
        delete _facts;
        emit Deployed(deployed, keccak256(creation), facts_);
    }

    /// @inheritdoc IChainFacts
    function facts() external view returns (ChainFacts memory) {
        if (_facts.gateway == address(0)) revert NoDeployment();
        return _facts;
    }

    /// @notice Where a contract will stand, or stands.
    /// @param codeHash The Keccak-256 hash of the creation code.
    /// @param salt The salt.
    /// @return The address, equal on every chain.
    function addressOf(bytes32 codeHash, bytes32 salt) external view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), salt, codeHash)))));
    }

    /// @dev A chain without an exchange has neither a registry of pools nor, perhaps, a wrapped native asset.
    function _requireWhole(ChainFacts calldata facts_) private view {
        bool isWhole = facts_.gateway.code.length > 0 &&
            facts_.gasService.code.length > 0 &&
            (facts_.swapFactory == address(0) || facts_.swapFactory.code.length > 0) &&
            (facts_.wrappedNative == address(0) || facts_.wrappedNative.code.length > 0) &&
            facts_.proofWindow != 0 &&
            _isChainName(facts_.chainName);
        if (!isWhole) revert InvalidFacts(facts_);
    }

    /// @dev Whether a word is a folded name of at most 20 printable characters, with zeros after it.
    function _isChainName(bytes32 name) private pure returns (bool) {
        uint256 length;
        while (length < 32 && uint8(name[length]) > 0x20) ++length;
        bool isPadded = length == 32 || uint256(name) << (8 * length) == 0;
        return isFolded(name) && length <= MAXIMUM_CHAIN_NAME_LENGTH && isPadded;
    }
}
