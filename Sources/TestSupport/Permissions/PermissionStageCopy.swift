/// A stage in a folder, to be played on; removed with the last reference.
final class PermissionStageCopy {
  let path = TemporaryCloud.newFolder("permission")

  init(_ stage: PermissionStage) throws { try stage.image.write(to: path) }

  deinit { try? TemporaryCloud.remove(path) }
}
