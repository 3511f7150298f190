import FaultInjection

/// A stage in a folder, to be played on; removed with the last reference.
final class PermissionStageCopy {
  let path = ScratchFolder.newPath("permission")

  init(_ stage: PermissionStage) throws { try stage.image.write(to: path) }

  deinit { try? ScratchFolder.remove(path) }
}
