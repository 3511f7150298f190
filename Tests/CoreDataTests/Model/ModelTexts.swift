import Foundation
import LocalCloudCoreDataModel

@testable import CoreData

/// Models for tests, in Xcode's file format.
enum ModelTexts {
  static func model(_ content: String, module: String? = "Trips") throws -> NSManagedObjectModel {
    NSManagedObjectModel(try ModelReader.read(text(content), file: "contents").model, module: module)
  }

  /// A model file with that content.
  static func text(_ content: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model>\(content)</model>"
  }

  /// Trips with stops, some of them hotels.
  static func trips() throws -> NSManagedObjectModel { try model(tripsContent) }

  static let tripsContent = """
    <entity name="Trip" representedClassName=".Trip" renamingIdentifier="Journey">
      <attribute name="title" attributeType="String" defaultValueString="" minValueString="2" maxValueString="5"/>
      <attribute name="days" attributeType="Integer 16" defaultValueString="3" minValueString="1" maxValueString="30"/>
      <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="12.50"/>
      <attribute name="begin" optional="YES" attributeType="Date" defaultDateTimeInterval="86400"
        minDateTimeInterval="0" maxDateTimeInterval="100000"/>
      <attribute name="id" optional="YES" attributeType="UUID"/>
      <attribute name="isOpen" attributeType="Boolean" defaultValueString="YES"/>
      <attribute name="code" optional="YES" attributeType="String" regularExpressionString="[A-Z]+|[0-9]{2}"/>
      <attribute name="map" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="secret" optional="YES" attributeType="String" allowsCloudEncryption="YES"
        preserveAfterDeletion="YES"/>
      <attribute name="color" optional="YES" attributeType="Transformable" valueTransformerName="Color"
        customClassName="Tint"/>
      <attribute name="draft" optional="YES" transient="YES" attributeType="String"/>
      <attribute name="stopCount" attributeType="Integer 64" derived="YES" derivationExpression="stops.@count"/>
      <relationship name="stops" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Stop"
        inverseName="trip" inverseEntity="Stop"/>
      <fetchedProperty name="cheap" optional="YES">
        <fetchRequest name="fetchedPropertyFetchRequest" entity="Trip" predicateString="price &lt; 10"/>
      </fetchedProperty>
      <fetchIndex name="byTitle"><fetchIndexElement property="title" type="Binary" order="descending"/></fetchIndex>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="id"/></uniquenessConstraint>
      </uniquenessConstraints>
      <userInfo><entry key="note" value="first"/></userInfo>
    </entity>
    <entity name="Stop" representedClassName="Places.Stop" isAbstract="YES">
      <attribute name="name" attributeType="String"/>
      <relationship name="trip" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Trip"
        inverseName="stops" inverseEntity="Trip"/>
    </entity>
    <entity name="Hotel" parentEntity="Stop">
      <attribute name="stars" optional="YES" attributeType="Double"/>
    </entity>
    <configuration name="Local"><memberEntity name="Hotel"/></configuration>
    <fetchRequest name="all" entity="Trip"/>
    """
}
